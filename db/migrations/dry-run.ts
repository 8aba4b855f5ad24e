import pg from "pg";
import { functionsRevision, readFunctions } from "../apply-functions";
import { databaseTypes } from "../client";
import { grantsRevision } from "../guard";
import { runConcurrently } from "./concurrent-index";
import { migrationFiles, type ModuleMigration } from "../modules/migration-files";
import { pendingFiles } from "../modules/migrate-modules";
import type { ModuleTables } from "../modules/module-tables";
import { measureStatement, startMeasuring, TABLE_NAME, tablesOf, type Effects } from "./measure-statement";
import { readMigrations, type MigrationFile } from "./migration-files";
import { partsDone, pendingMigrations, runMigrations } from "./run-migrations";

export interface PlannedPart extends Effects {
  readonly text: string;
  /** Runs outside a transaction; what it locks lets readers and writers go on. */
  readonly concurrently: boolean;
}

export interface RelationSize {
  readonly bytes: bigint;
  /** As the statistics have it. */
  readonly rows: number;
}

export interface DryRun {
  readonly migrations: readonly { readonly tag: string; readonly parts: readonly PlannedPart[] }[];
  /** The functions and grants of this version would take the place of those that are there. */
  readonly functions: boolean;
  /** Of the tables that are named, in the database that would be migrated. */
  readonly sizes: ReadonlyMap<string, RelationSize>;
  /** Version of PostgreSQL that it was measured on. */
  readonly measuredOn: string | undefined;
}

/** An empty database that may be thrown away. */
export interface Scratch {
  readonly url: string;
  stop(): Promise<void>;
}

/** The migrations of one module: those that the database has, and those that it has not. */
interface ModuleFiles {
  readonly module: string;
  readonly present: readonly ModuleMigration[];
  readonly pending: readonly ModuleMigration[];
}

/**
 * What `migrate` would do. The database itself is only asked what it has and how big its tables are. The statements run in an
 * empty one that is brought to the same migration before: what PostgreSQL locks and rewrites does not depend on the rows.
 *
 * @param openScratch called when there is something to measure
 * @throws Error in one sentence, as `migrate` does
 */
export async function dryRun(
  url: string,
  openScratch: () => Promise<Scratch>,
  known: readonly MigrationFile[] = readMigrations(),
  modules: readonly ModuleTables[] = [],
): Promise<DryRun> {
  const target = await connect(url);
  try {
    const pending = await pendingMigrations(target, known);
    const functions = !(await hasFunctions(target));
    const ofModules = await filesOfModules(target, modules);
    if (pending.length === 0 && ofModules.every((files) => files.pending.length === 0))
      return { migrations: [], functions, sizes: new Map(), measuredOn: undefined };
    const done = new Map<string, number>();
    for (const file of pending) done.set(file.tag, await partsDone(target, file));
    const present = known.filter((file) => !pending.includes(file));
    const measured = await onScratch(openScratch, async (client) => {
      const own = await measureAll(client, present, pending, done);
      const more = await measureModules(client, ofModules);
      const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
      return { migrations: [...own, ...more], measuredOn: rows[0]?.version };
    });
    const schemas = ["onceboard", ...modules.map(({ name }) => name)];
    return { ...measured, functions, sizes: await sizes(target, schemas) };
  } finally {
    await target.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "onceboard migrate", types: databaseTypes });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function onScratch<T>(open: () => Promise<Scratch>, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const scratch = await open();
  try {
    const client = await connect(scratch.url);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await scratch.stop();
  }
}

async function measureAll(
  client: pg.Client,
  present: readonly MigrationFile[],
  pending: readonly MigrationFile[],
  done: ReadonlyMap<string, number>,
): Promise<DryRun["migrations"]> {
  await runMigrations(client, present);
  const tables = await startMeasuring(client);
  const migrations: { tag: string; parts: PlannedPart[] }[] = [];
  for (const file of pending) {
    const parts: PlannedPart[] = [];
    await client.query("begin");
    for (const [index, part] of file.parts.entries()) {
      const { text, concurrently } = part;
      const report = index >= (done.get(file.tag) ?? 0);
      if (concurrently) {
        await client.query("commit");
        await runConcurrently(client, text);
        await client.query("begin");
        if (report) parts.push({ text, concurrently, locks: [], reads: [], rewrites: [] });
        continue;
      }
      const effects = await measureStatement(client, tables, text);
      if (report) parts.push({ text, concurrently, ...effects });
    }
    await client.query("commit");
    migrations.push({ tag: file.tag, parts });
  }
  return migrations;
}

async function filesOfModules(target: pg.Client, modules: readonly ModuleTables[]): Promise<ModuleFiles[]> {
  const { rows } = await target.query<{ present: boolean }>(
    "select to_regclass('onceboard.module_migrations') is not null as present",
  );
  const found: ModuleFiles[] = [];
  for (const module of modules) {
    const files = migrationFiles(module);
    const pending = rows[0]?.present === true ? await pendingFiles(target, module.name, files) : files;
    found.push({ module: module.name, present: files.filter((file) => !pending.includes(file)), pending });
  }
  return found;
}

/** Each file is one transaction, with the schema of its module in front. */
async function measureModules(client: pg.Client, modules: readonly ModuleFiles[]): Promise<DryRun["migrations"]> {
  const migrations: { tag: string; parts: PlannedPart[] }[] = [];
  for (const { module, present, pending } of modules) {
    const first = `create schema if not exists ${module};\n`;
    const path = `set local search_path = ${module}, public;\n`;
    for (const { text } of present) await client.query(`begin; ${first}${path}${text}\n;commit`);
    const tables = await tablesOf(client, ["onceboard", module]);
    for (const [index, file] of pending.entries()) {
      const text = `${index === 0 ? first : ""}${path}${file.text.trimEnd()}`;
      await client.query("begin");
      const effects = await measureStatement(client, tables, text);
      await client.query("commit");
      migrations.push({ tag: `${module}/${file.name}`, parts: [{ text, concurrently: false, ...effects }] });
    }
  }
  return migrations;
}

async function hasFunctions(client: pg.Client): Promise<boolean> {
  const { rows: found } = await client.query<{ present: boolean }>(
    "select to_regclass('onceboard.functions_revision') is not null as present",
  );
  if (found[0]?.present !== true) return false;
  const { rows } = await client.query<{ revision: string }>("select revision from onceboard.functions_revision");
  return rows[0]?.revision.startsWith(`${functionsRevision(readFunctions())} ${grantsRevision()} `) === true;
}

async function sizes(client: pg.Client, schemas: readonly string[]): Promise<Map<string, RelationSize>> {
  const { rows } = await client.query<{ name: string; bytes: bigint; rows: number }>(
    `select ${TABLE_NAME} as name,
            sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(greatest(c.reltuples, 0))::float8 as rows
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
     where c.relnamespace in (select to_regnamespace(s) from unnest($1::text[]) s) and c.relkind = 'r'
     group by 1`,
    [schemas],
  );
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}
