import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { applyFunctions } from "./apply-functions";
import { CONNECT_TIMEOUT_MS, databaseTypes } from "./client";
import { citusState, distributeFunctions, distributeTables, sendChanges } from "./distribute/distribute";
import { databaseErrorCode } from "./errors";
import { readMigrations, type MigrationFile } from "./migrations/migration-files";
import { pendingMigrations, runMigrations } from "./migrations/run-migrations";
import { migrateModules } from "./modules/migrate-modules";
import type { ModuleTables } from "./modules/module-tables";
import { ensurePartitions } from "./partitions";
import { notePlace } from "./restore/restored";
import { isPooled } from "./session";

/** Any number, the same for ever: processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_304_211_995;
const LOCK_POLL_MS = 100;
const INSUFFICIENT_PRIVILEGE = "42501";

export interface MigrateResult {
  /** Tags of the migrations of this call, `functions` when they were replaced, and `payments/0001_tables` of a module. Empty: all was up to date. */
  readonly applied: string[];
}

export interface MigrateOptions {
  readonly modules?: readonly ModuleTables[];
  readonly migrations?: readonly MigrationFile[];
  /** Distributes the tables by tenant over the nodes of Citus (docs/scale/citus.md). A database that is distributed stays so without it. */
  readonly distribute?: boolean;
}

/**
 * Brings a database to this version: tables, then functions and grants (when their text changed), then partitions for a
 * week, then the tables of modules. Safe when several processes start at once, and cheap when there is nothing to do: then a user who may only use the
 * database will do.
 *
 * @throws Error in one sentence when the database was migrated by a newer version, a migration was changed afterwards, or
 *   something is to do and this user may not
 */
export async function migrate(
  url: string,
  { modules = [], migrations = readMigrations(), distribute = false }: MigrateOptions = {},
): Promise<MigrateResult> {
  const client = new pg.Client({ connectionString: url, application_name: "onceboard migrate", types: databaseTypes });
  client.on("error", () => undefined);
  await client.connect();
  try {
    if (await isPooled(client, CONNECT_TIMEOUT_MS)) {
      throw new Error(
        "DATABASE_URL leads to a connection pooler: migrate with a URL that leads to PostgreSQL itself (docs/runbooks/pgbouncer.md).",
      );
    }
    await takeLock(client);
    const state = await citusState(client);
    if (distribute && state === "none")
      throw new Error(
        "--distribute needs a database with the extension citus (docs/scale/citus.md): this one has none.",
      );
    const spread = distribute || state === "distributed";
    if (state === "ready") await sendChanges(client, false);
    const pending = await pendingMigrations(client, migrations);
    await runMigrations(client, pending);
    const applied = pending.map(({ tag }) => tag);
    if (spread) {
      await sendChanges(client, true);
      if ((await distributeTables(client, "onceboard")).length > 0) applied.push("distributed tables");
    }
    const regrant = await applyFunctions(client, undefined, !spread);
    if (regrant) applied.push("functions");
    if (spread && regrant) await distributeFunctions(client);
    await ensurePartitions(client);
    await notePlace(client);
    applied.push(...(await migrateModules(client, modules, { regrant })));
    if (spread) for (const { name } of modules) await distributeTables(client, name);
    return { applied };
  } catch (error) {
    if (databaseErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      "This user may use the database but not bring it up to date: run migrate once with the DATABASE_URL of its owner.",
      { cause: error },
    );
  } finally {
    // Ending the session also gives the lock back.
    await client.end();
  }
}

/** By asking again: who waits inside a statement holds a snapshot, and an index that is built concurrently waits for that. */
async function takeLock(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken === true) return;
    await delay(LOCK_POLL_MS);
  }
}
