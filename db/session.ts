import type pg from "pg";
import { databaseErrorCode } from "./errors";
import { APP_ROLE } from "./roles";

/** A statement that waits longer for a row or a table gives up: `transient.contention`. */
export const LOCK_TIMEOUT_MS = 5_000;
/** A transaction that is left open by a stuck process loses its locks after this. */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

/** Of a transaction on a read replica: the moment, by the primary's clock, that its rows are of. */
export const AS_OF_SETTING = "onceboard.as_of";

export interface SessionOptions {
  /** `owner`: as the URL says. */
  readonly role: "app" | "owner";
  readonly statementTimeoutMs: number;
  /** Longest wait for each statement that opens the session, in ms. */
  readonly openTimeoutMs: number;
  /** Told when the login may write the tables of the state machine itself. */
  readonly onUnguarded: (reason: string) => void;
}

/** A role that is not there, and one that this user may not take. */
const ROLE_REFUSED = new Set(["22023", "42501"]);

const UNGUARDED_BEHIND_POOLER =
  "behind a connection pooler a session has no role of its own: use a login that is only in onceboard_app (docs/runbooks/pgbouncer.md)";

/** Limits of the server for connections behind a pooler: said in each transaction, because a session has nothing of its own there. */
const limitsOfPooled = new WeakMap<pg.ClientBase, string>();

/** @returns what a transaction of this connection says of its limits when it begins; nothing where the session said it */
export function transactionLimits(client: pg.ClientBase): string | undefined {
  return limitsOfPooled.get(client);
}

/**
 * Opens a session: the app's role and the limits of the server. A pooler in transaction mode (PgBouncer) refuses startup
 * parameters that it does not know and gives each transaction another server session, so behind one nothing is set and nothing
 * is prepared: the login must have the app's rights itself.
 *
 * @throws the driver's error when the database does not answer
 */
export async function beginSession(client: pg.ClientBase, options: SessionOptions): Promise<void> {
  const limits = [
    `statement_timeout = ${String(Math.trunc(options.statementTimeoutMs))}`,
    `lock_timeout = ${String(LOCK_TIMEOUT_MS)}`,
    `idle_in_transaction_session_timeout = ${String(IDLE_IN_TRANSACTION_TIMEOUT_MS)}`,
  ];
  if (await isPooled(client, options.openTimeoutMs)) {
    limitsOfPooled.set(client, limits.map((limit) => `set local ${limit}`).join("; "));
    withoutNames(client);
    if (options.role === "app" && !(await isGuarded(client, options.openTimeoutMs)))
      options.onUnguarded(UNGUARDED_BEHIND_POOLER);
    return;
  }
  const set = limits.map((limit) => `set ${limit}`).join("; ");
  const run = (text: string) => bounded(client, text, options.openTimeoutMs);
  if (options.role === "owner") {
    await run(set);
    return;
  }
  try {
    await run(`${set}; set role ${APP_ROLE}`);
  } catch (error) {
    if (!ROLE_REFUSED.has(databaseErrorCode(error) ?? "")) throw error;
    options.onUnguarded(error instanceof Error ? error.message : "no reason");
    await run(set);
  }
}

/** A pooler hands out a key of its own for cancelling, so the process that it names is not the one that answers. */
export async function isPooled(client: pg.ClientBase, timeoutMs: number): Promise<boolean> {
  const { rows } = await bounded<{ pid: number }>(client, "select pg_backend_pid() as pid", timeoutMs);
  return rows[0]?.pid !== (client as { readonly processID?: number | null }).processID;
}

async function isGuarded(client: pg.ClientBase, timeoutMs: number): Promise<boolean> {
  const { rows } = await bounded<{ writes: boolean | null }>(
    client,
    "select has_table_privilege(to_regclass('onceboard.idempotency_requests'), 'insert, update, delete, truncate') as writes",
    timeoutMs,
  );
  // Null: the table is not there yet, so nothing can be written to it.
  return rows[0]?.writes !== true;
}

function bounded<Row extends pg.QueryResultRow>(client: pg.ClientBase, text: string, timeoutMs: number) {
  const config = { text, query_timeout: timeoutMs };
  return client.query<Row>(config);
}

/** A statement that was prepared by its name is not there in the next transaction's session. */
function withoutNames(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  Object.assign(client, {
    query: (config: unknown, ...rest: unknown[]) =>
      query(isNamed(config) ? { ...config, name: undefined } : config, ...rest),
  });
}

/** A cursor or a query that was made already is its own object: it must stay that. */
function isNamed(config: unknown): config is { readonly name: string } {
  return typeof config === "object" && config !== null && "name" in config && !("submit" in config);
}
