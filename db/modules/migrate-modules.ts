import type pg from "pg";
import { databaseErrorCode } from "../errors";
import { APP_ROLE } from "../roles";
import { migrationFiles, type ModuleMigration } from "./migration-files";
import type { ModuleTables } from "./module-tables";

const INSUFFICIENT_PRIVILEGE = "42501";
const HOLDS = ["effects", "entries"] as const;

/**
 * Brings the tables of modules to their versions and makes the views `effects` and `entries` read what they show. A relation
 * that a module no longer names is taken out; those of a module that does not run here stay, for what they show stays true.
 * The caller holds the migration lock.
 *
 * @param regrant says who may do what anew, also where nothing was to do
 * @returns what was applied, `payments/0001_tables`
 * @throws Error in one sentence when a file was changed after it was applied, is missing, or does not run
 */
export async function migrateModules(
  client: pg.ClientBase,
  modules: readonly ModuleTables[],
  { regrant }: { readonly regrant: boolean },
): Promise<string[]> {
  const applied: string[] = [];
  for (const module of modules) {
    const files = migrationFiles(module);
    const pending = await pendingFiles(client, module.name, files);
    await withdraw(client, module);
    if (pending.length > 0) await client.query(`create schema if not exists ${module.name}`);
    for (const file of pending) await apply(client, module.name, file);
    if (pending.length > 0 || (regrant && files.length > 0)) await grant(client, module.name);
    await register(client, module, pending.length > 0);
    applied.push(...pending.map((file) => `${module.name}/${file.name}`));
  }
  return applied;
}

export async function pendingFiles(
  client: pg.ClientBase,
  module: string,
  files: readonly ModuleMigration[],
): Promise<ModuleMigration[]> {
  const { rows: present } = await client.query<{ name: string; hash: string }>(
    "select name, hash from onceboard.module_migrations where module = $1 order by name",
    [module],
  );
  const known = new Map(files.map((file) => [file.name, file]));
  for (const { name, hash } of present) {
    const file = known.get(name);
    if (file === undefined) {
      throw new Error(
        `This database has migration ${name} of module ${module}, which is not among its files: run the version that has it, or a newer one.`,
      );
    }
    if (file.hash !== hash) {
      throw new Error(
        `Migration ${name} of module ${module} was changed after this database had run it: restore the file, and say what is new in another one.`,
      );
    }
  }
  const done = new Set(present.map(({ name }) => name));
  const pending = files.filter(({ name }) => !done.has(name));
  const last = present.at(-1)?.name ?? "";
  const late = pending.find(({ name }) => name < last);
  if (late !== undefined) {
    throw new Error(
      `Migration ${late.name} of module ${module} comes before ${last}, which this database has run: give it a higher number.`,
    );
  }
  return pending;
}

async function apply(client: pg.ClientBase, module: string, { name, text, hash }: ModuleMigration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(`set local search_path = ${module}, public`);
    await client.query(text);
    await client.query("insert into onceboard.module_migrations (module, name, hash) values ($1, $2, $3)", [
      module,
      name,
      hash,
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    if (databaseErrorCode(error) === INSUFFICIENT_PRIVILEGE) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${name} of module ${module} does not run: ${reason}.`, { cause: error });
  }
}

/** A module's tables are its own: processes write them as they like. */
async function grant(client: pg.ClientBase, module: string): Promise<void> {
  const { rows } = await client.query("select 1 from pg_roles where rolname = $1", [APP_ROLE]);
  if (rows.length === 0) return;
  await client.query(`grant usage on schema ${module} to ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema ${module} to ${APP_ROLE};
    grant usage on all sequences in schema ${module} to ${APP_ROLE}`);
}

/** @returns what is registered of a module, `effects payments.effects` */
async function registered(client: pg.ClientBase, module: string): Promise<Set<string>> {
  const { rows } = await client.query<{ holds: string; relation: string }>(
    "select holds, relation from onceboard.evidence_relations where owner = $1",
    [module],
  );
  return new Set(rows.map(({ holds, relation }) => `${holds} ${relation}`));
}

function named({ evidence }: ModuleTables): string[] {
  return HOLDS.flatMap((holds) => (evidence?.[holds] ?? []).map((relation) => `${holds} ${relation}`));
}

/** Before its migrations: they may drop what it no longer names. */
async function withdraw(client: pg.ClientBase, module: ModuleTables): Promise<void> {
  const wanted = new Set(named(module));
  for (const each of await registered(client, module.name)) {
    if (wanted.has(each)) continue;
    await client.query("select onceboard.withdraw_evidence($1, $2, $3)", [module.name, ...each.split(" ")]);
  }
}

/** @param anew also what is registered: its columns may have changed */
async function register(client: pg.ClientBase, module: ModuleTables, anew: boolean): Promise<void> {
  const present = await registered(client, module.name);
  for (const each of named(module)) {
    if (!anew && present.has(each)) continue;
    await client.query("select onceboard.register_evidence($1, $2, $3)", [module.name, ...each.split(" ")]);
  }
}
