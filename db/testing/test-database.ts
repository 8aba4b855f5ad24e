import { PAYMENTS_TABLES } from "@/tests/support/payment-tables";
import { SAMPLE_KINDS } from "@/tests/support/payment-kinds";
import { createDatabase, type Database, type DatabaseOptions } from "../client";
import { ensureProcessLogin } from "../embedded/process-login";
import { pooledUrl, TEST_LOGIN_PASSWORD } from "./pooler";
import { cloneTemplate, prepareTemplate, type TemplateContent } from "./template-database";

export interface TestDatabase {
  /** As the owner, who may put any row into any state; what is under test gets `createDatabase({ url })`. */
  readonly db: Database;
  /** For what is under test: as the login of the processes, and through PgBouncer where the run is behind one (TEST_POOLER). */
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

/** Rows of the sample module stand in most tests, also where no process registers its kinds. */
const SAMPLES: TemplateContent = { modules: [PAYMENTS_TABLES], kinds: SAMPLE_KINDS };

/**
 * Makes an empty, migrated database with the tables and kinds of the example module for one test file.
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
  const database = await cloneTemplate(server, SAMPLES);
  const ownerUrl = database.url;
  const db = createDatabase({ applicationName: "onceboard test", role: "owner", ...options, url: ownerUrl });
  return {
    db,
    url: throughPooler(await asProcess(ownerUrl, server)),
    ownerUrl,
    async drop() {
      await db.close();
      await database.drop();
    },
  };
}

/** Makes the template ahead of the first test and removes what a killed run left behind. */
export const prepareTestServer = (server: string): Promise<void> => prepareTemplate(server, SAMPLES);

/** Once for each server: several tests would alter the same role. */
const logins = new Map<string, Promise<string>>();

/** @returns the address as the login of the processes */
async function asProcess(ownerUrl: string, server: string): Promise<string> {
  const made = logins.get(server) ?? ensureProcessLogin(server, TEST_LOGIN_PASSWORD);
  logins.set(server, made);
  const url = new URL(await made);
  url.pathname = new URL(ownerUrl).pathname;
  return url.href;
}

/** @returns the address by the pooler of this run, if it has one */
function throughPooler(url: string): string {
  const port = process.env["DATABASE_POOLER_PORT_TEST"];
  return port === undefined || port === "" ? url : pooledUrl(url, Number(port));
}
