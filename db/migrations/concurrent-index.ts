import { createHash } from "node:crypto";
import type pg from "pg";

const CREATE =
  /^create\s+(?<unique>unique\s+)?index\s+concurrently\s+"?(?<name>[a-z0-9_]+)"?\s+on\s+"?onceboard"?\."?(?<table>[a-z0-9_]+)"?\s*(?<rest>[^;]+);?$/i;
const DROP = /^drop\s+index\s+concurrently\s+(?:if\s+exists\s+)?"?onceboard"?\."?(?<name>[a-z0-9_]+)"?\s*;?$/i;
const COMMENT_LINE = /^\s*--.*$/gm;
/** PostgreSQL cuts longer names. */
const [MAX_NAME, HASH_LENGTH] = [63, 8] as const;

interface WantedIndex {
  readonly unique: string;
  readonly name: string;
  readonly table: string;
  /** Method, columns and condition. */
  readonly rest: string;
}
export type ConcurrentStatement =
  { readonly kind: "create"; readonly index: WantedIndex } | { readonly kind: "drop"; readonly name: string };

/** @throws Error in one sentence for a part that is neither of the two statements which may run outside a transaction */
export function readConcurrent(text: string): ConcurrentStatement {
  const statement = text.replace(COMMENT_LINE, "").trim();
  const created = CREATE.exec(statement)?.groups;
  if (created !== undefined) {
    const { unique = "", name = "", table = "", rest = "" } = created;
    return { kind: "create", index: { unique, name, table, rest } };
  }
  const name = DROP.exec(statement)?.groups?.["name"];
  if (name !== undefined) return { kind: "drop", name };
  throw new Error(
    "A part of a migration that runs concurrently holds one CREATE INDEX CONCURRENTLY or DROP INDEX CONCURRENTLY on a table of schema onceboard, and nothing else.",
  );
}

/**
 * Runs one part outside a transaction: readers and writers of the table go on. May run again after it failed or was cut off:
 * what is there stays, and an index that was left invalid is made anew.
 */
export async function runConcurrently(client: pg.ClientBase, text: string): Promise<void> {
  const statement = readConcurrent(text);
  if (statement.kind === "drop") {
    await client.query(`drop index concurrently if exists onceboard.${statement.name}`);
    return;
  }
  const { index } = statement;
  if (await isPartitioned(client, index.table)) await onPartitions(client, index);
  else await ensureIndex(client, index);
}

async function ensureIndex(client: pg.ClientBase, { unique, name, table, rest }: WantedIndex): Promise<void> {
  const valid = await validity(client, name);
  if (valid === true) return;
  // Left by a build that was cut off: writers keep it up, and nobody reads by it.
  if (valid === false) await client.query(`drop index concurrently onceboard.${name}`);
  await client.query(`create ${unique}index concurrently ${name} on onceboard.${table} ${rest}`);
}

/** A partitioned table cannot have it at once: first the name, which new partitions follow, then each partition by itself. */
async function onPartitions(client: pg.ClientBase, index: WantedIndex): Promise<void> {
  const { unique, name, table, rest } = index;
  if ((await validity(client, name)) === undefined)
    await client.query(`create ${unique}index ${name} on only onceboard.${table} ${rest}`);
  for (const partition of await partitionsWithout(client, table, name)) {
    const own = { ...index, table: partition, name: nameOn(partition, name) };
    await ensureIndex(client, own);
    await client.query(`alter index onceboard.${name} attach partition onceboard.${own.name}`);
  }
}

function nameOn(partition: string, index: string): string {
  const hash = createHash("sha256").update(index).digest("hex").slice(0, HASH_LENGTH);
  return `${partition.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hash}`;
}

async function isPartitioned(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ partitioned: boolean }>(
    "select relkind = 'p' as partitioned from pg_class where oid = $1::regclass",
    [`onceboard.${table}`],
  );
  return rows[0]?.partitioned === true;
}

/** @returns undefined when there is no index of this name */
async function validity(client: pg.ClientBase, name: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
    [`onceboard.${name}`],
  );
  return rows[0]?.valid;
}

async function partitionsWithout(client: pg.ClientBase, table: string, index: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass
       and not exists (select 1 from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid
                        where x.indrelid = c.oid and a.inhparent = $2::regclass)
     order by 1`,
    [`onceboard.${table}`, `onceboard.${index}`],
  );
  return rows.map((row) => row.name);
}
