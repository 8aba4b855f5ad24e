import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readPrivate, writePrivate } from "@/cli/startup/data-dir";
import { createDatabase, type Database } from "@/db/client";

const PASSWORD_BYTES = 24;
const FILE = "demo-attached.json";
const kept = z.object({ owners: z.string(), login: z.string() });
type Passwords = z.output<typeof kept>;

/** What may do nothing there but read the views that the owners install, and call their functions. */
const LOGIN = "onceboard_attach";
/** Each database has an owner of its name. */
export const DATABASES = ["cap_orders", "pgboss_jobs", "keys_api"] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** A database of somebody else. */
export interface ForeignAddress {
  /** As its owner. */
  readonly ownerUrl: string;
  /** As the login of Onceboard. */
  readonly url: string;
  readonly role: string;
}

export interface ForeignServer {
  /** As somebody who may make databases and roles. */
  readonly adminUrl: string;
  readonly dataDir: string;
  /** Behind each name of a role or database, where several demos share a server. */
  readonly suffix?: string;
}

/**
 * Three databases with an owner each, and one login for all of them, made where they are not there.
 *
 * @throws Error in one sentence where the server has such a login already, or this user may not make one
 */
export async function ensureDatabases(server: ForeignServer): Promise<Readonly<Record<DatabaseName, ForeignAddress>>> {
  const { adminUrl, dataDir, suffix = "" } = server;
  const passwords = ensurePasswords(dataDir);
  const role = `${LOGIN}${suffix}`;
  const admin = createDatabase({ url: adminUrl, max: 1, role: "owner", applicationName: "onceboard demo" });
  try {
    const made = await ensureRole(admin, role, passwords.login);
    for (const name of DATABASES) {
      const database = `${name}${suffix}`;
      await ensureRole(admin, database, passwords.owners);
      await ensureDatabase(admin, database, role);
    }
    if (made) await admin.pool.query({ text: `alter role ${role} set statement_timeout = '10s'` });
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    throw new Error(`--attach makes three databases and their logins, which could not be done: ${because}.`, {
      cause: error,
    });
  } finally {
    await admin.close();
  }
  const addressed = (name: DatabaseName): ForeignAddress => ({
    ownerUrl: addressOf(adminUrl, `${name}${suffix}`, `${name}${suffix}`, passwords.owners),
    url: addressOf(adminUrl, `${name}${suffix}`, role, passwords.login),
    role,
  });
  return {
    cap_orders: addressed("cap_orders"),
    pgboss_jobs: addressed("pgboss_jobs"),
    keys_api: addressed("keys_api"),
  };
}

function ensurePasswords(dataDir: string): Passwords {
  const file = join(dataDir, FILE);
  const found = readPrivate(file, kept);
  if (found !== undefined) return found;
  const password = (): string => randomBytes(PASSWORD_BYTES).toString("base64url");
  const made = { owners: password(), login: password() };
  writePrivate(file, made);
  return made;
}

/** @param password letters, digits, `-` and `_` alone @returns whether it was not there */
async function ensureRole(admin: Database, role: string, password: string): Promise<boolean> {
  const { rows } = await admin.pool.query({ text: "select from pg_roles where rolname = $1", values: [role] });
  if (rows.length > 0) return false;
  await admin.pool.query({ text: `create role ${role} login password '${password}'` });
  return true;
}

async function ensureDatabase(admin: Database, database: string, role: string): Promise<void> {
  const { rows } = await admin.pool.query({ text: "select from pg_database where datname = $1", values: [database] });
  if (rows.length > 0) return;
  await admin.pool.query({ text: `create database ${database} owner ${database}` });
  // Nobody else of this server has anything to do there.
  await admin.pool.query({ text: `revoke all on database ${database} from public` });
  await admin.pool.query({ text: `grant connect on database ${database} to ${role}` });
}

function addressOf(adminUrl: string, database: string, login: string, password: string): string {
  const url = new URL(adminUrl);
  [url.pathname, url.username, url.password] = [database, login, password];
  return url.href;
}
