import type pg from "pg";

export interface TableLock {
  readonly table: string;
  /** As PostgreSQL names it, e.g. `AccessExclusiveLock`. */
  readonly mode: string;
}

/** What a statement does to tables that were there before. */
export interface Effects {
  readonly locks: readonly TableLock[];
  /** Read from end to end while the lock is held. */
  readonly reads: readonly string[];
  readonly rewrites: readonly string[];
}

/** A table that is there before, and the name to report it by: a day of a partitioned table stands for all of them. */
export type KnownTables = ReadonlyMap<number, string>;

/** What the planner reads of an empty table says nothing; what these read, they read of every table. */
const READS_ALWAYS = /(?:^|;)\s*(?:--[^\n]*\n\s*)*(?:alter|create\s+(?:unique\s+)?index)\b/i;
/** Readers and writers do not wait for one that only reads. */
const HARMLESS = "AccessShareLock";

/** Gives each table of ours that is partitioned one partition, so that it is seen what happens to them. @returns all tables of the schema */
export async function startMeasuring(client: pg.ClientBase): Promise<KnownTables> {
  const { rows: partitioned } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'onceboard'::regnamespace and relkind = 'p'",
  );
  for (const { name } of partitioned)
    await client.query(`create table onceboard.${name}_any partition of onceboard.${name} default`);
  return tablesOf(client, ["onceboard"]);
}

/** A table outside our own schema has its schema in its name. */
export const TABLE_NAME = `case when c.relnamespace = to_regnamespace('onceboard') then '' else c.relnamespace::regnamespace || '.' end
  || coalesce(parent.relname, c.relname)`;

export async function tablesOf(client: pg.ClientBase, schemas: readonly string[]): Promise<KnownTables> {
  const { rows } = await client.query<{ oid: number; name: string }>(
    `select c.oid::int as oid, ${TABLE_NAME} as name from pg_class c
     left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
     where c.relnamespace in (select to_regnamespace(s) from unnest($1::text[]) s) and c.relkind in ('r', 'p')`,
    [schemas],
  );
  return new Map(rows.map(({ oid, name }) => [oid, name]));
}

interface Picture {
  readonly locks: ReadonlySet<string>;
  readonly files: ReadonlyMap<number, number>;
  readonly scans: ReadonlyMap<number, number>;
}

/**
 * Runs a statement in the transaction that is open and says what it did that was not done in it before.
 * @param text may be several; reads are said then where one of them reads every table
 */
export async function measureStatement(client: pg.ClientBase, tables: KnownTables, text: string): Promise<Effects> {
  const before = await picture(client, tables);
  await client.query(text);
  const after = await picture(client, tables);
  const named = (oids: Iterable<number>): string[] =>
    [...new Set([...oids].flatMap((oid) => tables.get(oid) ?? []))].sort();
  const changed = (now: ReadonlyMap<number, number>, then: ReadonlyMap<number, number>): number[] =>
    [...now].filter(([oid, value]) => (then.get(oid) ?? 0) !== value).map(([oid]) => oid);
  const locks = [...after.locks].filter((lock) => !before.locks.has(lock)).map((lock) => lock.split(" "));
  return {
    locks: strongest(
      locks.flatMap(([oid, mode = ""]) =>
        mode === HARMLESS ? [] : named([Number(oid)]).map((table) => ({ table, mode })),
      ),
    ),
    reads: READS_ALWAYS.test(text) ? named(changed(after.scans, before.scans)) : [],
    rewrites: named(changed(after.files, before.files)),
  };
}

/** Of one table only the strongest is of interest: the others wait for nobody longer. */
const BY_STRENGTH = [
  "RowShareLock",
  "RowExclusiveLock",
  "ShareUpdateExclusiveLock",
  "ShareLock",
  "ShareRowExclusiveLock",
  "ExclusiveLock",
  "AccessExclusiveLock",
];

function strongest(locks: readonly TableLock[]): TableLock[] {
  const weakestFirst = [...locks].sort((a, b) => BY_STRENGTH.indexOf(a.mode) - BY_STRENGTH.indexOf(b.mode));
  const byTable = new Map(weakestFirst.map((lock) => [lock.table, lock]));
  return [...byTable.values()].sort((a, b) => (a.table < b.table ? -1 : 1));
}

async function picture(client: pg.ClientBase, tables: KnownTables): Promise<Picture> {
  const known = [[...tables.keys()]];
  const locks = await client.query<{ lock: string }>(
    "select relation::int || ' ' || mode as lock from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and granted",
  );
  const files = await client.query<{ oid: number; value: number }>(
    "select oid::int as oid, relfilenode::int as value from pg_class where oid = any($1::oid[]) and relkind = 'r'",
    known,
  );
  const scans = await client.query<{ oid: number; value: number }>(
    "select relid::int as oid, seq_scan::int as value from pg_stat_xact_all_tables where relid = any($1::oid[])",
    known,
  );
  const map = (rows: readonly { oid: number; value: number }[]): Map<number, number> =>
    new Map(rows.map(({ oid, value }) => [oid, value]));
  return { locks: new Set(locks.rows.map(({ lock }) => lock)), files: map(files.rows), scans: map(scans.rows) };
}
