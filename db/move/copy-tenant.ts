import type { Database, Queryable } from "../client";
import { COPY_SETTINGS, copyRows } from "./copy-rows";
import { KEYS, movedTables, type MovedTable } from "./moved-tables";
import { announceTenant, moduleSchemas, setHome, tenantHome } from "./tenant-home";

export interface CopyInput {
  readonly tenant: string;
  readonly name: string;
  /** Region of the source. */
  readonly from: string;
  readonly to: string;
  readonly schemas: readonly string[];
  /** keys: API keys alone, so that both regions know who asks; all: everything, and the tenant is at home there. */
  readonly only: "keys" | "all";
}

/**
 * Copies the rows of a tenant from one moment of the source into one transaction of the target, which ends with the tenant at home there. Rows
 * of a former stay are replaced.
 *
 * @returns rows by table, with its schema
 * @throws Error in one sentence when the target has rows of the tenant that are of no former stay
 */
export async function copyTenant(
  { source, target }: { readonly source: Database; readonly target: Database },
  { tenant, name, from, to, schemas, only }: CopyInput,
): Promise<ReadonlyMap<string, number>> {
  const reader = await source.pool.connect();
  const writer = await target.pool.connect();
  let failed = true;
  try {
    await writer.query("begin");
    await lockMove(writer, tenant);
    // After the lock: what was taken back meanwhile is seen.
    await reader.query("begin isolation level repeatable read read only");
    for (const text of COPY_SETTINGS) await Promise.all([reader.query(text), writer.query(text)]);
    const whole = only === "all";
    if (whole && (await tenantHome(reader, tenant))?.movedTo !== to) throw new Error(`${tenant} was taken back.`);
    const all = await movedTables(reader, [...(await moduleSchemas(reader)), ...schemas]);
    const tables = whole ? all : all.filter((table) => isOfKeys(table));
    const there = await tenantHome(writer, tenant);
    const former = there !== undefined && there.movedTo !== null;
    for (const table of [...tables].reverse()) await makeRoom(writer, table, tenant, former || isOfKeys(table));
    await announceTenant(writer, tenant, name, from);
    const rows = new Map<string, number>();
    for (const table of tables)
      rows.set(`${table.schema}.${table.table}`, await copyRows(reader, writer, table, tenant));
    for (const table of tables) await advanceSequences(writer, table, tenant);
    if (whole) await setHome(writer, tenant, { home: to, movedTo: null });
    await writer.query("commit");
    await reader.query("commit");
    failed = false;
    return rows;
  } finally {
    // A transaction that failed ends with its connection.
    reader.release(failed);
    writer.release(failed);
  }
}

/**
 * Deletes what a tenant had here before it was moved, in the transaction that the caller is in. Its API keys stay: by them its requests are forwarded.
 *
 * @returns how many rows
 */
export async function deleteLeft(tx: Queryable, tenant: string, schemas: readonly string[]): Promise<number> {
  const tables = await movedTables(tx, [...(await moduleSchemas(tx)), ...schemas]);
  let deleted = 0;
  for (const { name } of tables.filter((table) => !isOfKeys(table)).reverse()) {
    const { rowCount } = await tx.query({ text: `delete from ${name} where tenant_id = $1`, values: [tenant] });
    deleted += rowCount ?? 0;
  }
  return deleted;
}

function isOfKeys({ schema, table }: MovedTable): boolean {
  return schema === "onceboard" && KEYS.includes(table);
}

/** Until the end of the transaction: one move of a tenant at a time, and nobody takes back what arrives. */
export async function lockMove(db: Queryable, tenant: string): Promise<void> {
  const { rows } = await db.query<{ locked: boolean }>({
    text: "select pg_try_advisory_xact_lock(hashtext('onceboard move'), hashtext($1)) as locked",
    values: [tenant],
  });
  if (rows[0]?.locked !== true) throw new Error(`${tenant} is being moved by somebody else.`);
}

/** @param replaced whether rows that are there make room */
async function makeRoom(db: Queryable, { name }: MovedTable, tenant: string, replaced: boolean): Promise<void> {
  if (replaced) {
    await db.query({ text: `delete from ${name} where tenant_id = $1`, values: [tenant] });
    return;
  }
  const { rows } = await db.query({ text: `select from ${name} where tenant_id = $1 limit 1`, values: [tenant] });
  if (rows.length > 0) throw new Error(`The other database has rows of ${tenant} in ${name}, of no former stay.`);
}

/** What is drawn there from now on comes after what was brought. */
async function advanceSequences(db: Queryable, { name, drawn }: MovedTable, tenant: string): Promise<void> {
  for (const column of drawn) {
    await db.query({
      text: `select setval(s.name, greatest(m.last, nextval(s.name)))
             from (select pg_get_serial_sequence($1, $2)::regclass as name) s,
               (select max(t."${column}") as last from ${name} t where t.tenant_id = $3) m where m.last is not null`,
      values: [name, column, tenant],
    });
  }
}
