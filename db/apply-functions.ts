import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { forNodes, type FunctionFile } from "./distribute/for-nodes";
import { databaseErrorCode } from "./errors";
import { applyGrants, ensureRoles, grantsRevision } from "./guard";

/** Each concept folder of db/ holds its functions beside the statements that call them. */
const FUNCTIONS_DIR = fileURLToPath(new URL("./", import.meta.url));
const FUNCTION_NAME = /create\s+or\s+replace\s+function\s+onceboard\.([a-z0-9_]+)/gi;
/** The error of CREATE OR REPLACE when the result or a parameter name changed: that function must be dropped first. */
const INVALID_FUNCTION_DEFINITION = "42P13";

export type { FunctionFile };

/** @returns the `.sql` files below db/ by file name; each holds exactly one function of schema onceboard. */
export function readFunctions(directory: string = FUNCTIONS_DIR): FunctionFile[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .map((path) => {
      const text = readFileSync(join(directory, path), "utf8");
      const names = [...text.matchAll(FUNCTION_NAME)].map((match) => match[1]);
      if (names.length !== 1 || names[0] === undefined) {
        throw new Error(`${path} must hold exactly one "create or replace function onceboard.…".`);
      }
      return { file: basename(path), name: names[0], text };
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** @returns SHA-256 (hex) over names and texts of all functions. */
export function functionsRevision(files: readonly FunctionFile[]): string {
  const hash = createHash("sha256");
  for (const { file, text } of files) hash.update(file).update("\0").update(text).update("\0");
  return hash.digest("hex");
}

/**
 * Replaces the functions in one transaction when their texts differ from those of the database, and drops those that are
 * no longer in a file or have another argument list (two forms of one name make calls ambiguous). Says in the same
 * transaction who may do what (db/guard.ts). The caller holds the migration lock.
 *
 * @param guarded false on a distributed database, as of `applyGrants`; its functions are those of `forNodes`
 * @returns true when something was replaced
 */
export async function applyFunctions(
  client: pg.ClientBase,
  files: readonly FunctionFile[] = readFunctions(),
  guarded = true,
): Promise<boolean> {
  const revision = `${functionsRevision(files)} ${grantsRevision()} ${await ensureRoles(client)}${guarded ? "" : " unguarded"}`;
  if ((await appliedRevision(client)) === revision) return false;
  const dropFirst = new Set<string>();
  while (!(await replaceAll(client, files, { revision, guarded }, dropFirst)));
  return true;
}

/** Looks before it makes the table: who may only use the database finds it there, and could not make it. */
async function appliedRevision(client: pg.ClientBase): Promise<string | undefined> {
  const { rows: found } = await client.query<{ present: boolean }>(
    "select to_regclass('onceboard.functions_revision') is not null as present",
  );
  if (found[0]?.present !== true) {
    await client.query(
      `create table onceboard.functions_revision (
         only_row boolean primary key default true check (only_row),
         revision text not null,
         applied_at timestamptz not null default now())`,
    );
    return undefined;
  }
  const { rows } = await client.query<{ revision: string }>("select revision from onceboard.functions_revision");
  return rows[0]?.revision;
}

/** @returns false when a function has to be dropped first; its name is then in `dropFirst` and nothing has changed. */
async function replaceAll(
  client: pg.ClientBase,
  files: readonly FunctionFile[],
  { revision, guarded }: { readonly revision: string; readonly guarded: boolean },
  dropFirst: Set<string>,
): Promise<boolean> {
  await client.query("begin");
  try {
    for (const name of dropFirst) await dropFunctions(client, name);
    const texts = guarded ? files : forNodes(files);
    // First without a look at the bodies, for they may call each other; then with it, so that a typing error ends here.
    for (const checked of ["off", "on"]) {
      await client.query(`set local check_function_bodies = ${checked}`);
      for (const file of texts) {
        const problem = await replaceOne(client, file);
        if (problem === undefined) continue;
        if (databaseErrorCode(problem) !== INVALID_FUNCTION_DEFINITION || dropFirst.has(file.name)) {
          throw new Error(`${file.file}: ${problem.message}`, { cause: problem });
        }
        dropFirst.add(file.name);
        await client.query("rollback");
        return false;
      }
    }
    await dropFunctions(client);
    await keepHistory(client, functionsRevision(files));
    await applyGrants(client, guarded);
    await client.query(
      `insert into onceboard.functions_revision (revision) values ($1)
       on conflict (only_row) do update set revision = excluded.revision, applied_at = now()`,
      [revision],
    );
    await client.query("commit");
    return true;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Every set of functions that this database ever had: by it a process knows whether the database is older than itself, or newer. */
async function keepHistory(client: pg.ClientBase, revision: string): Promise<void> {
  await client.query(
    `create table if not exists onceboard.functions_history (
       revision text primary key,
       applied_at timestamptz not null default now())`,
  );
  await client.query("insert into onceboard.functions_history (revision) values ($1) on conflict do nothing", [
    revision,
  ]);
}

async function replaceOne(client: pg.ClientBase, file: FunctionFile): Promise<Error | undefined> {
  try {
    await client.query(file.text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Drops the functions of one name, or without a name those that this transaction has not written. */
async function dropFunctions(client: pg.ClientBase, name?: string): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
     where p.pronamespace = 'onceboard'::regnamespace
       and case when $1::text is null then p.xmin <> pg_current_xact_id()::xid else p.proname = $1 end
       and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`,
    [name ?? null],
  );
  for (const { signature } of rows) await client.query(`drop function ${signature}`);
}
