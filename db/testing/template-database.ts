import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { OperationKind } from "@/domain/operation-kind";
import { functionsRevision, readFunctions } from "../apply-functions";
import { createDatabase } from "../client";
import { registerKind } from "../kinds/operation-kinds";
import { migrate } from "../migrate";
import { MIGRATIONS_DIR } from "../migrations/migration-files";
import { migrationFiles } from "../modules/migration-files";
import type { ModuleTables } from "../modules/module-tables";
import { dropOnEachNode, joinNodes, leaveAlone, onEachNode, urlOf } from "./nodes";

/** What stands in a database beside our own tables, before a test begins. */
export interface TemplateContent {
  readonly modules: readonly ModuleTables[];
  readonly kinds: readonly OperationKind[];
}

export interface ClonedDatabase {
  /** On the server itself, as a superuser. */
  readonly url: string;
  /** Ends the sessions that are still open. */
  drop(): Promise<void>;
}

const TEMPLATE_PREFIX = "onceboard_template_";
const CLONE_PREFIX = "onceboard_test_";
/** Templates of older revisions that stay, for other working trees on the same server. */
const TEMPLATES_KEPT = 3;
/** A clone that is older was left behind by a killed run. */
const CLONE_LIFETIME_MS = 2 * 3_600_000;
/** One clone at a time: CREATE DATABASE fails while another session looks at the template. */
const CLONE_LOCK = 7_304_211_996;

/**
 * Makes a migrated database by cloning the template of the current migrations and functions; the template is made when it is
 * missing, so a changed function is always seen.
 *
 * @param server address of the test server, as a superuser
 */
export async function cloneTemplate(server: string, content: TemplateContent): Promise<ClonedDatabase> {
  const name = `${CLONE_PREFIX}${Date.now().toString(36)}_${randomBytes(4).toString("hex")}`;
  await withMaintenance(server, async (client) => {
    const template = await ensureTemplate(client, server, content);
    await onEachNode(client, server, `create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: urlOf(server, name),
    drop: () => withMaintenance(server, (client) => dropOnEachNode(client, server, name), false),
  };
}

/** Makes the template ahead of the first test and removes what a killed run left behind. */
export async function prepareTemplate(server: string, content: TemplateContent): Promise<void> {
  await withMaintenance(server, async (client) => {
    await ensureTemplate(client, server, content);
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where starts_with(datname, $1)",
      [CLONE_PREFIX],
    );
    for (const { datname } of rows) {
      const made = Number.parseInt(datname.slice(CLONE_PREFIX.length).split("_")[0] ?? "", 36);
      if (Date.now() - made > CLONE_LIFETIME_MS) await dropOnEachNode(client, server, datname);
    }
  });
}

async function ensureTemplate(client: pg.Client, server: string, content: TemplateContent): Promise<string> {
  const name = templateName(content);
  const { rows } = await client.query<{ datname: string; oid: number }>(
    "select datname, oid from pg_database where starts_with(datname, $1) order by oid desc",
    [TEMPLATE_PREFIX],
  );
  if (rows.some((row) => row.datname === name)) return name;
  const half = `${name}_half`;
  await dropOnEachNode(client, server, half);
  for (const old of rows.filter((row) => row.datname !== half).slice(TEMPLATES_KEPT)) {
    await dropOnEachNode(client, server, old.datname);
  }
  await onEachNode(client, server, `create database ${half}`);
  const distribute = await joinNodes(client, server, half);
  await migrate(urlOf(server, half), { modules: content.modules, distribute });
  await registerKinds(urlOf(server, half), content.kinds);
  await forgetPlace(urlOf(server, half));
  if (distribute) await leaveAlone(client, server, half);
  await onEachNode(client, server, `alter database ${half} rename to ${name}`);
  return name;
}

/** A clone is nobody's restored backup. */
async function forgetPlace(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("delete from onceboard.database_place");
  } finally {
    await client.end();
  }
}

async function registerKinds(url: string, kinds: readonly OperationKind[]): Promise<void> {
  const db = createDatabase({ applicationName: "onceboard test set-up", role: "owner", url });
  try {
    for (const kind of kinds) await registerKind(db.pool, kind);
  } finally {
    await db.close();
  }
}

/** Names what is in it: migrations, functions, kinds, the code that applies them, and the day for which it has partitions. */
function templateName({ modules, kinds }: TemplateContent): string {
  const hash = createHash("sha256").update(functionsRevision(readFunctions()));
  for (const file of readMigrationFiles({ migrationsFolder: MIGRATIONS_DIR })) hash.update(file.hash);
  for (const tables of modules) {
    for (const file of migrationFiles(tables)) hash.update(file.hash);
    hash.update(JSON.stringify(tables.evidence));
  }
  const sources = [
    "migrate.ts",
    "migrations/run-migrations.ts",
    "apply-functions.ts",
    "guard.ts",
    "distribute/distribute.ts",
    "distribute/for-nodes.ts",
    "distribute/placement.ts",
    "modules/migrate-modules.ts",
  ].map((file) => join(MIGRATIONS_DIR, "../db", file));
  // A package that is built has none: there they change with its version only, and the functions with them.
  for (const source of sources.filter((file) => existsSync(file))) hash.update(readFileSync(source));
  hash.update(JSON.stringify(kinds));
  hash.update(new Date().toISOString().slice(0, 10));
  return `${TEMPLATE_PREFIX}${hash.digest("hex").slice(0, 12)}`;
}

async function withMaintenance<T>(server: string, work: (client: pg.Client) => Promise<T>, locked = true): Promise<T> {
  const client = new pg.Client({ connectionString: server, application_name: "onceboard test set-up" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    if (locked) await client.query("select pg_advisory_lock($1)", [CLONE_LOCK]);
    return await work(client);
  } finally {
    await client.end();
  }
}
