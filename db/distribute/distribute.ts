import type pg from "pg";
import { SERVICE_ROLE } from "../guard";
import { APP_ROLE } from "../roles";
import { LOCK_TIMEOUT_MS } from "../session";
import { COLOCATED_WITH, NOT_DELEGATED, ON_EVERY_NODE, placementOf, SETTINGS_ON_NODES } from "./placement";

/** `ready`: Citus is there and nothing is distributed yet. */
export type CitusState = "none" | "ready" | "distributed";

/** @throws Error in one sentence when this is a worker of a cluster: its coordinator changes the schema */
export async function citusState(client: pg.ClientBase): Promise<CitusState> {
  const { rows: extensions } = await client.query("select from pg_extension where extname = 'citus'");
  if (extensions.length === 0) return "none";
  const { rows } = await client.query<{ coordinator: boolean; distributed: boolean }>(
    `select (select groupid = 0 from pg_dist_local_group) as coordinator,
            exists (select from pg_dist_partition where partmethod = 'h') as distributed`,
  );
  if (rows[0]?.coordinator !== true)
    throw new Error("This is a worker of a Citus cluster: migrate with the address of its coordinator.");
  return rows[0].distributed ? "distributed" : "ready";
}

/**
 * Whether changes of the schema go to the other nodes. Not before something is distributed: a view that is on every node could not be
 * changed to one over tables that are not.
 */
export async function sendChanges(client: pg.ClientBase, on: boolean): Promise<void> {
  await client.query(`set citus.enable_ddl_propagation = ${on ? "on" : "off"}`);
}

/**
 * Distributes what is not distributed yet of one schema: tables by their tenant, all beside each other.
 *
 * @returns the names of the tables
 * @throws Error in one sentence when a table of a module cannot be, before anything is done
 */
export async function distributeTables(client: pg.ClientBase, schema: string): Promise<string[]> {
  const tables = await undistributed(client, schema);
  const own = schema === "onceboard";
  const wanted = own ? tables.filter(({ name }) => placementOf(name) !== "coordinator") : tables;
  const unfit = wanted.find(({ name, unfit: why }) => why !== null && !(own && ON_EVERY_NODE.includes(name)));
  if (unfit !== undefined)
    throw new Error(`${schema}.${unfit.name} cannot be distributed by its tenant: ${unfit.unfit ?? ""}.`);
  const everywhere = own ? wanted.filter(({ name }) => ON_EVERY_NODE.includes(name)) : [];
  for (const { name } of everywhere) await client.query("select create_reference_table($1)", [`${schema}.${name}`]);
  const byTenant = wanted
    .filter((table) => !everywhere.includes(table))
    .sort(
      (a, b) => Number(`${schema}.${b.name}` === COLOCATED_WITH) - Number(`${schema}.${a.name}` === COLOCATED_WITH),
    );
  for (const { name } of byTenant) {
    const table = `${schema}.${name}`;
    if (table === COLOCATED_WITH) await client.query("select create_distributed_table($1, 'tenant_id')", [table]);
    else
      await client.query("select create_distributed_table($1, 'tenant_id', colocate_with := $2)", [
        table,
        COLOCATED_WITH,
      ]);
  }
  return wanted.map(({ name }) => name);
}

interface Undistributed {
  readonly name: string;
  /** Why it cannot be. */
  readonly unfit: string | null;
}

async function undistributed(client: pg.ClientBase, schema: string): Promise<Undistributed[]> {
  const { rows } = await client.query<Undistributed>(
    `with tables as (
       select c.oid, c.relname::text as name, (
         select a.attnum from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as tenant
       from pg_class c
       where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and not c.relispartition
         and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid and d.partmethod = 'h')
         and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid and d.repmodel = 't'))
     select t.name, case when t.tenant is null then 'it has no column tenant_id' else (
         select 'its unique index ' || i.indexrelid::regclass || ' has no tenant_id' from pg_index i
         where i.indrelid = t.oid and i.indisunique and not t.tenant = any (i.indkey) limit 1) end as unfit
     from tables t order by 1`,
    [schema],
  );
  return rows;
}

/**
 * Lets functions of one tenant run beside its rows. Nodes reach each other as whoever asks, so the roles may log in; they have no
 * password.
 */
export async function distributeFunctions(client: pg.ClientBase): Promise<void> {
  for (const role of [APP_ROLE, SERVICE_ROLE]) {
    const { rowCount } = await client.query("select from pg_roles where rolname = $1 and not rolcanlogin", [role]);
    if (rowCount === 1) await client.query(`alter role ${role} login`);
    // What a session says of itself does not reach the nodes: there it would wait for a lock as long as for its whole statement.
    await client.query(`alter role ${role} set lock_timeout = ${String(LOCK_TIMEOUT_MS)}`);
  }
  for (const [name, { set }] of Object.entries(SETTINGS_ON_NODES))
    await client.query(`alter function onceboard.${name} set ${set}`);
  for (const signature of await functionsOfTenants(client))
    await client.query("select create_distributed_function($1, '$1', colocate_with := $2)", [
      signature,
      COLOCATED_WITH,
    ]);
}

async function functionsOfTenants(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
     where p.pronamespace = 'onceboard'::regnamespace and p.proargnames[1] = 'p_tenant' and not p.proname = any ($1)
     order by 1`,
    [Object.keys(NOT_DELEGATED)],
  );
  return rows.map(({ signature }) => signature);
}
