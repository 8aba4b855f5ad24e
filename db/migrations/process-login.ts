import pg from "pg";
import { CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from "../client";
import { databaseErrorCode } from "../errors";
import { APP_ROLE } from "../roles";
import { IDLE_IN_TRANSACTION_TIMEOUT_MS, LOCK_TIMEOUT_MS } from "../session";

/** Several processes may make it at once, by the same database. Any number, the same for ever. */
const LOGIN_LOCK = 7_304_211_997;
const INSUFFICIENT_PRIVILEGE = "42501";
const SAFE_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const SAFE_PASSWORD = /^[A-Za-z0-9_-]{16,200}$/;
/** What a session behind a pooler cannot say itself stands with the login. */
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;

/** Name and password of a login that owns nothing and may do what a process may. */
export interface ProcessLogin {
  /** Small letters, digits and `_`. */
  readonly name: string;
  /** At least 16 letters, digits, `-` and `_`. */
  readonly password: string;
}

/** @throws Error in one sentence, without the password, when an address names no login that we would make */
export function loginOf(url: string): ProcessLogin {
  const { username, password } = new URL(url);
  if (!SAFE_NAME.test(username))
    throw new Error("The login of DATABASE_URL is not made: its name may have small letters, digits and _ alone.");
  if (!SAFE_PASSWORD.test(password))
    throw new Error(
      "The login of DATABASE_URL is not made: its password needs 16 characters or more, letters, digits, - and _ alone.",
    );
  return { name: username, password };
}

/**
 * Makes a login that is in {@link APP_ROLE} and nothing else, or gives it this password again.
 *
 * @param ownerUrl of a migrated database, as a user who may make roles
 * @throws Error in one sentence when the user may not, or when the login is there and is more than that
 */
export async function ensureLogin(ownerUrl: string, login: ProcessLogin): Promise<void> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: "onceboard login",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOGIN_LOCK]);
    await makeLogin(client, login);
  } catch (error) {
    if (databaseErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      `This user may not make the login ${login.name}: an administrator runs "create role ${login.name} login password '…' in role ${APP_ROLE}".`,
      { cause: error },
    );
  } finally {
    await client.end();
  }
}

async function makeLogin(client: pg.ClientBase, { name, password }: ProcessLogin): Promise<void> {
  const { rows } = await client.query<{ more: boolean }>(
    `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
              or exists (select 1 from pg_auth_members m join pg_roles g on g.oid = m.roleid
                          where m.member = r.oid and g.rolname <> $2)
              or exists (select 1 from pg_class c where c.relowner = r.oid)
              or exists (select 1 from pg_database d where d.datdba = r.oid) as more
       from pg_roles r where rolname = $1`,
    [name, APP_ROLE],
  );
  if (rows[0]?.more === true)
    throw new Error(
      `The login ${name} may do more than ${APP_ROLE}: give DATABASE_URL another name, which is made for it.`,
    );
  if (rows.length === 0) await client.query(`create role ${name} login inherit`);
  await client.query(`alter role ${name} password '${password}'`);
  await client.query(`grant ${APP_ROLE} to ${name}`);
  for (const [limit, ms] of Object.entries(LIMITS))
    await client.query(`alter role ${name} set ${limit} = ${String(ms)}`);
}
