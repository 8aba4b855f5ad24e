import { functionsRevision, readFunctions } from "../apply-functions";
import type { Queryable } from "../client";
import { databaseErrorCode } from "../errors";
import { migrationFiles } from "../modules/migration-files";
import type { ModuleTables } from "../modules/module-tables";
import { readMigrations } from "./migration-files";

const UNDEFINED_TABLE = "42P01";
const INVALID_SCHEMA = "3F000";
const ADVICE = "run migrate first, with the DATABASE_URL of its owner";

/**
 * Sees that a database has the tables and functions that this version of the code and its modules need; a newer one will do. Changes nothing.
 *
 * @throws Error in one sentence when it is older
 */
export async function requireSchema(q: Queryable, modules: readonly ModuleTables[] = []): Promise<void> {
  const needed = readMigrations().at(-1);
  if (needed === undefined) return;
  const { newest, functions } = await found(q, functionsRevision(readFunctions()));
  if (newest === undefined) throw new Error(`The database has no tables of Onceboard yet: ${ADVICE}.`);
  if (newest < needed.when)
    throw new Error(`The database is older than this version, which needs migration ${needed.tag}: ${ADVICE}.`);
  if (!functions) throw new Error(`The database has not got the functions of this version yet: ${ADVICE}.`);
  for (const module of modules) await requireTables(q, module);
}

/** @returns when the newest migration of a database was written, ms; 0n when it has none */
export async function newestMigration(q: Queryable): Promise<bigint> {
  const { rows } = await q.query<{ newest: bigint | null }>({
    text: "select max(created_at)::bigint as newest from onceboard.migrations",
  });
  return rows[0]?.newest ?? 0n;
}

async function requireTables(q: Queryable, module: ModuleTables): Promise<void> {
  const needed = migrationFiles(module).at(-1);
  if (needed === undefined) return;
  const { rows } = await q.query({
    text: "select 1 from onceboard.module_migrations where module = $1 and name = $2",
    values: [module.name, needed.name],
  });
  if (rows.length === 0)
    throw new Error(
      `The tables of module ${module.name} are older than this version, which needs ${needed.name}: ${ADVICE}.`,
    );
}

async function found(q: Queryable, revision: string): Promise<{ newest: bigint | undefined; functions: boolean }> {
  try {
    const { rows } = await q.query<{ newest: bigint | null; functions: boolean }>({
      text: `select (select max(created_at)::bigint from onceboard.migrations) as newest,
                    exists (select 1 from onceboard.functions_history where revision = $1) as functions`,
      values: [revision],
    });
    return { newest: rows[0]?.newest ?? undefined, functions: rows[0]?.functions === true };
  } catch (error) {
    const code = databaseErrorCode(error);
    if (code !== UNDEFINED_TABLE && code !== INVALID_SCHEMA) throw error;
    return { newest: await newestAlone(q), functions: false };
  }
}

/** Of a database that was made before functions had a history. */
async function newestAlone(q: Queryable): Promise<bigint | undefined> {
  const { rows: tables } = await q.query<{ present: boolean }>({
    text: "select to_regclass('onceboard.migrations') is not null as present",
  });
  if (tables[0]?.present !== true) return undefined;
  return (await newestMigration(q)) || undefined;
}
