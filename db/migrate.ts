import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as migrateTables } from "drizzle-orm/node-postgres/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { applyFunctions } from "./apply-functions";
import { CONNECT_TIMEOUT_MS, databaseTypes } from "./client";
import { databaseErrorCode } from "./errors";
import { ensurePartitions } from "./partitions";
import { isPooled } from "./session";

export const MIGRATIONS_DIR = fileURLToPath(new URL("../drizzle", import.meta.url));
const MIGRATIONS = { migrationsFolder: MIGRATIONS_DIR, migrationsSchema: "onceboard", migrationsTable: "migrations" };
/** Any number, the same for ever: processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_304_211_995;
const INSUFFICIENT_PRIVILEGE = "42501";

export interface MigrateResult {
  /** Tags of the migrations of this call, and `functions` when they were replaced. Empty: all was up to date. */
  readonly applied: string[];
}

/**
 * Brings a database to this version: tables, then functions and grants (when their text changed), then partitions for a
 * week. Safe when several processes start at once, and cheap when there is nothing to do: then a user who may only use the
 * database will do.
 *
 * @throws Error in one sentence when the database was migrated by a newer version, a migration was changed afterwards, or
 *   something is to do and this user may not
 */
export async function migrate(url: string): Promise<MigrateResult> {
  const client = new pg.Client({ connectionString: url, application_name: "onceboard migrate", types: databaseTypes });
  client.on("error", () => undefined);
  await client.connect();
  try {
    if (await isPooled(client, CONNECT_TIMEOUT_MS)) {
      throw new Error(
        "DATABASE_URL leads to a connection pooler: migrate with a URL that leads to PostgreSQL itself (docs/runbooks/pgbouncer.md).",
      );
    }
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const applied = await pendingMigrations(client);
    if (applied.length > 0) await migrateTables(drizzle(client), MIGRATIONS);
    if (await applyFunctions(client)) applied.push("functions");
    await ensurePartitions(client);
    return { applied };
  } catch (error) {
    if (databaseErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      "This user may use the database but not bring it up to date: run `npm run migrate` once with the DATABASE_URL of its owner.",
      { cause: error },
    );
  } finally {
    // Ending the session also gives the lock back.
    await client.end();
  }
}

/** @returns tags of the migrations that the database does not have yet. */
async function pendingMigrations(client: pg.Client): Promise<string[]> {
  const known = readMigrationFiles(MIGRATIONS).map((file, index) => ({ ...file, tag: tags()[index] ?? "" }));
  const present = await appliedMigrations(client);
  const newest = known.at(-1);
  for (const row of present) {
    const match = known.find((file) => BigInt(file.folderMillis) === row.created_at);
    if (match === undefined && newest !== undefined && row.created_at > BigInt(newest.folderMillis)) {
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
  return known.filter((file) => BigInt(file.folderMillis) > last).map((file) => file.tag);
}

async function appliedMigrations(client: pg.Client): Promise<{ hash: string; created_at: bigint }[]> {
  const { rows } = await client.query<{ present: boolean }>(
    "select to_regclass('onceboard.migrations') is not null as present",
  );
  if (rows[0]?.present !== true) return [];
  return (await client.query<{ hash: string; created_at: bigint }>("select hash, created_at from onceboard.migrations"))
    .rows;
}

function tags(): string[] {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS_DIR, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  return journal.entries.map((entry) => entry.tag);
}
