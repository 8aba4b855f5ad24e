import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { functionsRevision, readFunctions } from "../apply-functions";
import { SAMPLE_KINDS } from "@/tests/support/payment-kinds";
import { registerKind } from "../kinds/operation-kinds";
import { createDatabase, type Database, type DatabaseOptions } from "../client";
import { migrate } from "../migrate";
import { MIGRATIONS_DIR } from "../migrations/migration-files";
import { pooledUrl } from "./pooler";
import { migrationFiles } from "../modules/migration-files";
import { PAYMENTS_TABLES } from "@/tests/support/payment-tables";

export interface TestDatabase {
  /** As the owner, who may put any row into any state; what is under test gets `createDatabase({ url })`. */
  readonly db: Database;
  /** For what is under test: through PgBouncer where the run is behind one (TEST_POOLER). */
  readonly url: string;
  /** On the server itself, as a superuser. */
  readonly ownerUrl: string;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions extends Omit<DatabaseOptions, "url"> {
  /** Address of the test server; DATABASE_URL_TEST when left out. */
  readonly server?: string | undefined;
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
 * Makes an empty, migrated database for one test file by cloning the template of the current migrations and functions;
 * the template is made when it is missing, so a changed function is always seen.
 *
 * @param options.server address of the test server; DATABASE_URL_TEST when left out
 * @param options others as of `createDatabase`; the role is the owner's unless they say otherwise
 * @throws Error when no test server runs: DATABASE_URL_TEST is set by the global set-up of the test run
 */
export async function createTestDatabase({
  server = process.env["DATABASE_URL_TEST"],
  ...options
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  if (server === undefined || server === "") {
    throw new Error("No test server: run with the global set-up db/testing/global-setup.ts, or set DATABASE_URL_TEST.");
  }
  const name = `${CLONE_PREFIX}${Date.now().toString(36)}_${randomBytes(4).toString("hex")}`;
  await withMaintenance(server, async (client) => {
    const template = await ensureTemplate(client, server);
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  const ownerUrl = urlOf(server, name);
  const db = createDatabase({ applicationName: "onceboard test", role: "owner", ...options, url: ownerUrl });
  return {
    db,
    url: throughPooler(ownerUrl),
    ownerUrl,
    async drop() {
      await db.close();
      await withMaintenance(server, (client) => client.query(`drop database if exists ${name} with (force)`), false);
    },
  };
}

/** Makes the template ahead of the first test and removes what a killed run left behind. */
export async function prepareTestServer(server: string): Promise<void> {
  await withMaintenance(server, async (client) => {
    await ensureTemplate(client, server);
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where starts_with(datname, $1)",
      [CLONE_PREFIX],
    );
    for (const { datname } of rows) {
      const made = Number.parseInt(datname.slice(CLONE_PREFIX.length).split("_")[0] ?? "", 36);
      if (Date.now() - made > CLONE_LIFETIME_MS)
        await client.query(`drop database if exists "${datname}" with (force)`);
    }
  });
}

async function ensureTemplate(client: pg.Client, server: string): Promise<string> {
  const name = templateName();
  const { rows } = await client.query<{ datname: string; oid: number }>(
    "select datname, oid from pg_database where starts_with(datname, $1) order by oid desc",
    [TEMPLATE_PREFIX],
  );
  if (rows.some((row) => row.datname === name)) return name;
  const half = `${name}_half`;
  await client.query(`drop database if exists ${half} with (force)`);
  for (const old of rows.filter((row) => row.datname !== half).slice(TEMPLATES_KEPT)) {
    await client.query(`drop database if exists "${old.datname}" with (force)`);
  }
  await client.query(`create database ${half}`);
  await migrate(urlOf(server, half), { modules: [PAYMENTS_TABLES] });
  await registerSamples(urlOf(server, half));
  await client.query(`alter database ${half} rename to ${name}`);
  return name;
}

/** Rows of the sample module stand in most tests, also where no process registers its kinds. */
async function registerSamples(url: string): Promise<void> {
  const db = createDatabase({ applicationName: "onceboard test set-up", role: "owner", url });
  try {
    for (const kind of SAMPLE_KINDS) await registerKind(db.pool, kind);
  } finally {
    await db.close();
  }
}

/** Names what is in it: migrations, functions, kinds, the code that applies them, and the day for which it has partitions. */
function templateName(): string {
  const hash = createHash("sha256").update(functionsRevision(readFunctions()));
  for (const file of readMigrationFiles({ migrationsFolder: MIGRATIONS_DIR })) hash.update(file.hash);
  for (const file of migrationFiles(PAYMENTS_TABLES)) hash.update(file.hash);
  hash.update(JSON.stringify(PAYMENTS_TABLES.evidence));
  const sources = [
    "migrate.ts",
    "migrations/run-migrations.ts",
    "apply-functions.ts",
    "guard.ts",
    "modules/migrate-modules.ts",
  ].map((file) => join(MIGRATIONS_DIR, "../db", file));
  // A package that is built has none: there they change with its version only, and the functions with them.
  for (const source of sources.filter((file) => existsSync(file))) hash.update(readFileSync(source));
  hash.update(JSON.stringify(SAMPLE_KINDS));
  hash.update(new Date().toISOString().slice(0, 10));
  return `${TEMPLATE_PREFIX}${hash.digest("hex").slice(0, 12)}`;
}

/** @returns the address by the pooler of this run, if it has one */
function throughPooler(url: string): string {
  const port = process.env["DATABASE_POOLER_PORT_TEST"];
  return port === undefined || port === "" ? url : pooledUrl(url, Number(port));
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

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}
