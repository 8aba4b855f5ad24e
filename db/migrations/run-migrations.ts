import type pg from "pg";
import { databaseErrorCode } from "../errors";
import { runConcurrently } from "./concurrent-index";
import type { MigrationFile, MigrationPart } from "./migration-files";

/** A change that waits for a table holds up everybody who comes after it, so it does not wait long. */
const TABLE_WAIT_MS = 3_000;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * What is kept about migrations: which were run, and of one that was cut off, how many of its parts. Looks first: who may
 * only use the database finds the tables there, and could not make them.
 */
async function ensureBookkeeping(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ present: boolean }>(
    "select to_regclass('onceboard.migration_progress') is not null as present",
  );
  if (rows[0]?.present === true) return;
  await client.query(`
    create schema if not exists onceboard;
    create table if not exists onceboard.migrations (id serial primary key, hash text not null, created_at bigint);
    create table if not exists onceboard.migration_progress (tag text primary key, parts_done integer not null);`);
}

/** @throws Error in one sentence when the database was migrated by a newer version, or a migration was changed afterwards */
export async function pendingMigrations(
  client: pg.ClientBase,
  known: readonly MigrationFile[],
): Promise<MigrationFile[]> {
  const present = await appliedMigrations(client);
  const newest = known.at(-1);
  for (const row of present) {
    const match = known.find((file) => file.when === row.created_at);
    if (match === undefined && newest !== undefined && row.created_at > newest.when) {
      throw new Error(
        `This database was migrated by a newer version of Onceboard (this one ends at ${newest.tag}): run that version or a newer one.`,
      );
    }
    if (match !== undefined && match.hash !== row.hash) {
      throw new Error(
        `Migration ${match.tag} was changed after this database had run it: restore the file, or start from an empty database.`,
      );
    }
  }
  const last = present.reduce((max, row) => (row.created_at > max ? row.created_at : max), 0n);
  return known.filter((file) => file.when > last);
}

async function appliedMigrations(client: pg.ClientBase): Promise<{ hash: string; created_at: bigint }[]> {
  const { rows } = await client.query<{ present: boolean }>(
    "select to_regclass('onceboard.migrations') is not null as present",
  );
  if (rows[0]?.present !== true) return [];
  return (await client.query<{ hash: string; created_at: bigint }>("select hash, created_at from onceboard.migrations"))
    .rows;
}

/**
 * Runs migrations in their order. What lies between two parts that run concurrently is one transaction; after a failure the
 * next call goes on with the part that failed.
 */
export async function runMigrations(client: pg.ClientBase, pending: readonly MigrationFile[]): Promise<void> {
  await ensureBookkeeping(client);
  for (const file of pending) await runMigration(client, file);
}

async function runMigration(client: pg.ClientBase, file: MigrationFile): Promise<void> {
  let done = await partsDone(client, file);
  if (file.parts.length === 0) await keepProgress(client, file, 0);
  while (done < file.parts.length) {
    const part = file.parts[done];
    if (part?.concurrently === true) {
      await runConcurrently(client, part.text);
      done += 1;
      await inOne(client, file, done, []);
      continue;
    }
    const next = file.parts.findIndex((other, index) => index > done && other.concurrently);
    const end = next === -1 ? file.parts.length : next;
    await inOne(client, file, end, file.parts.slice(done, end));
    done = end;
  }
}

async function inOne(
  client: pg.ClientBase,
  file: MigrationFile,
  done: number,
  parts: readonly MigrationPart[],
): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${String(TABLE_WAIT_MS)}`);
  try {
    for (const { text } of parts) await client.query(text);
    await keepProgress(client, file, done);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    if (databaseErrorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error(
      `Migration ${file.tag} waited ${String(TABLE_WAIT_MS / 1_000)} s for a table that others use, and changed nothing: run it again, when there is less to do.`,
      { cause: error },
    );
  }
}

/** @returns how many parts of a migration that was cut off are done */
export async function partsDone(client: pg.ClientBase, { tag }: MigrationFile): Promise<number> {
  const { rows: tables } = await client.query<{ present: boolean }>(
    "select to_regclass('onceboard.migration_progress') is not null as present",
  );
  if (tables[0]?.present !== true) return 0;
  const { rows } = await client.query<{ parts_done: number }>(
    "select parts_done from onceboard.migration_progress where tag = $1",
    [tag],
  );
  return rows[0]?.parts_done ?? 0;
}

async function keepProgress(client: pg.ClientBase, file: MigrationFile, done: number): Promise<void> {
  if (done < file.parts.length) {
    await client.query(
      `insert into onceboard.migration_progress (tag, parts_done) values ($1, $2)
       on conflict (tag) do update set parts_done = excluded.parts_done`,
      [file.tag, done],
    );
    return;
  }
  await client.query("delete from onceboard.migration_progress where tag = $1", [file.tag]);
  await client.query("insert into onceboard.migrations (hash, created_at) values ($1, $2)", [file.hash, file.when]);
}
