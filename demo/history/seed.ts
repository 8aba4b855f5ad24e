import { createDatabase, type Database, type Queryable } from "@/db/client";
import { TABLES_BY_DAY } from "@/db/partitions";
import { inTransaction } from "@/db/transaction";
import { EVENT_ROWS } from "./event-rows";
import { MESSAGE_ROWS, WAITING_ROWS } from "./message-rows";
import { SYSTEM_ROWS, TENANT_ROWS } from "./once";
import { OPERATION_ROWS } from "./operation-rows";
import { attachDay, makeDay, partitionOf } from "./partitions";
import { rollUpDay } from "./roll-up-day";
import { SEED_FUNCTIONS, seedRows } from "./rows";
import { LEAST_OPERATIONS, seedDays, seedShape, wholePatterns, type SeedDay, type SeedShape } from "./shape";
import type { SeedStatement } from "./statement";

export interface SeedOptions {
  /** Owner of the tables. */
  readonly url: string;
  readonly tenant: string;
  readonly operations: number;
  /** About so many. */
  readonly events: number;
  /** Also beside traffic that nobody seeded. */
  readonly force: boolean;
  readonly say: (line: string) => void;
}

export interface Seeded {
  /** False: this tenant has this seed already, nothing was done. */
  readonly done: boolean;
  readonly seconds: number;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** One seed may take so long. */
const TIMEOUT_MS = 4 * 3_600_000;
/** Sessions that roll up days beside each other, after the rows are committed. */
const ROLL_UPS_AT_ONCE = 2;
/** Of the audit entry that marks a seeded tenant. */
const MARK = "seed.fill";
/** Sorts and indexes of a day in memory. */
const SETTINGS = [
  "set local synchronous_commit = off",
  "set local work_mem = '128MB'",
  "set local maintenance_work_mem = '256MB'",
  "set local timezone = 'UTC'",
  "set local jit = off",
];

/**
 * Fills a tenant with a month of traffic by statements over whole days, in one transaction: all of it or nothing; then rolls it up.
 * A second call with the same size does nothing, but for roll-ups that are missing.
 *
 * @throws Error in one sentence: too small, another size is there, or traffic that is no seed's
 */
export async function seed(options: SeedOptions): Promise<Seeded> {
  const operations = wholePatterns(options.operations);
  if (operations < LEAST_OPERATIONS) throw new Error(`A seed has at least ${String(LEAST_OPERATIONS)} operations.`);
  const owner = createDatabase({
    url: options.url,
    max: ROLL_UPS_AT_ONCE,
    role: "owner",
    statementTimeoutMs: TIMEOUT_MS,
  });
  const started = performance.now();
  try {
    const rows = new Map<string, number>();
    const done = await inTransaction(owner, (tx) => fill(tx, { ...options, operations }, rows), { retries: 0 });
    if (done) {
      options.say(`rows after ${seconds(started)} s; vacuum and statistics`);
      // What autovacuum would do in its own time: without it the first reader of every page would pay for all rows.
      await owner.pool.query({ text: "vacuum (analyze)" });
    }
    options.say(`roll-ups after ${seconds(started)} s`);
    await rollUp(owner, options.tenant, operations);
    return { done, seconds: (performance.now() - started) / 1_000, rows: Object.fromEntries(rows) };
  } finally {
    await owner.close();
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}

/** Days that are not rolled up, several at once. A seed that was stopped here goes on here. */
async function rollUp(owner: Database, tenant: string, operations: number): Promise<void> {
  const days = seedDays(new Date(), operations);
  const left = [...days.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [index, day] = next;
      const one = async (tx: Queryable): Promise<void> => {
        for (const text of SETTINGS) await tx.query({ text });
        await rollUpDay(tx, tenant, day, days.length - index);
      };
      await inTransaction(owner, one, { retries: 0 });
    }
  };
  await Promise.all(Array.from({ length: ROLL_UPS_AT_ONCE }, work));
  // As retention leaves them: their minutes are computed.
  await owner.pool.query({
    text: "delete from onceboard.inbox_batches b where b.tenant_id = $1 and b.processed_at < now() - interval '1 day'",
    values: [tenant],
  });
}

async function fill(tx: Queryable, options: SeedOptions, rows: Map<string, number>): Promise<boolean> {
  const { tenant, operations, events, say } = options;
  for (const text of [...SETTINGS, ...SEED_FUNCTIONS]) await tx.query({ text });
  if (await isSeeded(tx, options)) return false;
  const { rows: times } = await tx.query<{ now: Date }>({ text: "select now() as now" });
  const now = times[0]?.now ?? new Date();
  const shape = seedShape(operations, events);
  const put = putter(tx, tenant, rows);
  for (const statement of TENANT_ROWS) await put(statement);
  for (const day of seedDays(now, operations)) {
    const since = performance.now();
    await fillDay(tx, day, shape, put);
    const rate = Math.round((1_000 * day.count) / (performance.now() - since));
    say(`${day.day}: ${day.count.toLocaleString("en")} operations, ${rate.toLocaleString("en")} a second`);
  }
  for (const statement of [WAITING_ROWS, ...SYSTEM_ROWS]) await put(statement);
  await tx.query({
    text: `select onceboard.append_audit($1, gen_random_uuid(), 'system', 'seed', 'seed', '${MARK}', 'tenant', $1, 'seeded', null, $2, null, null)`,
    values: [tenant, JSON.stringify({ operations })],
  });
  return true;
}

type Put = (statement: SeedStatement, day?: string) => Promise<void>;

function putter(tx: Queryable, tenant: string, rows: Map<string, number>): Put {
  return async ({ table, text }, day) => {
    const byDay = day !== undefined && (TABLES_BY_DAY as readonly string[]).includes(table);
    const into = byDay ? partitionOf(table, day) : table;
    const { rowCount } = await tx.query({
      text: text.replace(`insert into onceboard.${table} `, `insert into onceboard.${into} `),
      values: text.includes("$1") ? [tenant] : [],
    });
    rows.set(table, (rows.get(table) ?? 0) + (rowCount ?? 0));
  };
}

async function fillDay(tx: Queryable, day: SeedDay, shape: SeedShape, put: Put): Promise<void> {
  if (day.count <= 0) return;
  const made = await makeDay(tx, day.day);
  await tx.query({ text: seedRows(day, shape) });
  await tx.query({ text: "analyze seed_rows" });
  for (const statement of [...OPERATION_ROWS, ...EVENT_ROWS, ...MESSAGE_ROWS]) await put(statement, day.day);
  await attachDay(tx, day.day, made);
  await tx.query({ text: "drop table seed_rows" });
}

/** @throws Error when the tenant has another seed, or the database traffic that is none */
async function isSeeded(tx: Queryable, { tenant, operations, force }: SeedOptions): Promise<boolean> {
  const { rows } = await tx.query<{ tenant_id: string; operations: string }>({
    text: `select a.tenant_id, a.after ->> 'operations' as operations from onceboard.audit_entries a where a.action = '${MARK}'`,
  });
  const own = rows.find((row) => row.tenant_id === tenant);
  if (own !== undefined) {
    if (own.operations === String(operations)) return true;
    throw new Error(`Tenant ${tenant} has a seed of ${own.operations} operations already.`);
  }
  const { rows: others } = await tx.query<{ real: boolean }>({
    text: "select exists (select 1 from onceboard.idempotency_requests r where r.tenant_id <> all ($1::text[])) as real",
    values: [rows.map((row) => row.tenant_id)],
  });
  if (others[0]?.real === true && !force)
    throw new Error("This database has traffic that was not seeded; --force seeds beside it.");
  return false;
}
