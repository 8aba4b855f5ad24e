import pg from "pg";
import { CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from "../client";
import { APP_ROLE } from "../roles";
import { IDLE_IN_TRANSACTION_TIMEOUT_MS, LOCK_TIMEOUT_MS } from "../session";

/** A login that owns nothing and may do what a process may: who leaves the role in it gains nothing (docs/decisions/0011). */
export const PROCESS_LOGIN = "onceboard_process";
/** Several processes may make it at once, by the same database. Any number, the same for ever. */
const LOGIN_LOCK = 7_304_211_997;
const SAFE_PASSWORD = /^[A-Za-z0-9_-]{16,200}$/;
/** What a session behind a pooler cannot say itself stands with the login. */
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;

/**
 * Makes the login of the processes on a server of ours, or gives it this password again.
 *
 * @param ownerUrl of a database of a server that has {@link APP_ROLE}, as a user who may make roles
 * @param password letters, digits, `-` and `_` alone
 * @returns the same database's address as that login
 */
export async function ensureProcessLogin(ownerUrl: string, password: string): Promise<string> {
  if (!SAFE_PASSWORD.test(password)) throw new Error("The password of a login has a character that it must not have.");
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: "onceboard login",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOGIN_LOCK]);
    const { rows } = await client.query("select 1 from pg_roles where rolname = $1", [PROCESS_LOGIN]);
    if (rows.length === 0) await client.query(`create role ${PROCESS_LOGIN} login inherit`);
    await client.query(
      `alter role ${PROCESS_LOGIN} nosuperuser nocreaterole nocreatedb noreplication nobypassrls password '${password}'`,
    );
    await client.query(`grant ${APP_ROLE} to ${PROCESS_LOGIN}`);
    for (const [name, ms] of Object.entries(LIMITS))
      await client.query(`alter role ${PROCESS_LOGIN} set ${name} = ${String(ms)}`);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  [url.username, url.password] = [PROCESS_LOGIN, password];
  return url.href;
}
