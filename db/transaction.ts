import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { callContext, withContext, type OpenTransaction } from "./call-context";
import { ANSWER_GRACE_MS, type Database, type Queryable } from "./client";
import { databaseErrorCode, isConnectionError, mapDatabaseError, neverSent } from "./errors";
import { waitOn } from "./limit-pool";
import { AS_OF_SETTING, transactionLimits } from "./session";

/** Errors after which the same transaction may simply run again: the database has undone it. */
export const RETRIED_CODES: Readonly<Record<string, string>> = {
  "40001": "serialization_failure",
  "40P01": "deadlock_detected",
};
/** Wait before each further try, in ms, halved or doubled by chance so that two rivals do not meet again. */
export const RETRY_DELAYS_MS: readonly number[] = [5, 20, 50, 120, 250];

export interface TransactionOptions {
  /** Most further tries after the first, up to the length of RETRY_DELAYS_MS. */
  readonly retries?: number;
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  readonly readOnly?: boolean;
  /** Instead of the connection's own, for this transaction. */
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /** Of a read replica: until when it surely has everything, ms since 1970 by the primary's clock. Its `now()` is not what its rows are of. */
  readonly completeUntil?: number;
}

/**
 * Runs `work` in one transaction and commits it. Called again inside (same database), it joins the transaction that is
 * open: the outermost call commits, and an error anywhere undoes everything. 40001 and 40P01 run `work` again from its
 * start, so it must have no effect but on the database.
 *
 * @throws AppError `dependency.unavailable` when the connection fails; `indefinite` only if that happened while committing
 */
export async function inTransaction<T>(
  db: Pick<Database, "pool">,
  work: (tx: Queryable) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const open = openTransaction(db);
  return open === undefined ? retried(() => runOnce(db.pool, work, options), options.retries) : work(open);
}

/** The transaction of this database that the caller works in, if there is one. */
export function openTransaction(db: Pick<Database, "pool">): Queryable | undefined {
  const open = callContext()?.transaction;
  return open?.pool === db.pool && !open.done ? open.tx : undefined;
}

/**
 * Runs work of exactly one statement: in the transaction that is open (same database), otherwise by itself, without a round trip
 * to begin and one to commit.
 *
 * @throws AppError as {@link inTransaction}; `indefinite` when the connection failed under the statement, which may have been committed
 */
export async function inStatement<T>(db: Pick<Database, "pool">, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const open = openTransaction(db);
  if (open !== undefined) return work(open);
  return retried(async () => {
    try {
      return await work(db.pool);
    } catch (error) {
      throw isConnectionError(error) ? mapDatabaseError(error) : error;
    }
  });
}

/**
 * Runs `once` again after 40001 and 40P01.
 *
 * @throws AppError for what {@link mapDatabaseError} knows, `definite` where the error itself does not say otherwise
 */
export async function retried<T>(once: () => Promise<T>, most = RETRY_DELAYS_MS.length): Promise<T> {
  const retries = Math.min(most, RETRY_DELAYS_MS.length);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await once();
    } catch (error) {
      const code = databaseErrorCode(error);
      if (attempt >= retries || code === undefined || !(code in RETRIED_CODES)) {
        throw mapDatabaseError(error, { certainty: "definite" });
      }
      await delay((RETRY_DELAYS_MS[attempt] ?? 0) * (0.5 + Math.random() * 1.5));
    }
  }
}

/** One transaction on a connection of its own, whatever is open already. @throws as {@link inTransaction}, errors of the driver as they came */
export async function runOnce<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  const transaction: OpenTransaction = { pool, tx: client, done: false };
  let broken: Error | undefined;
  // A client that is checked out has no listener of the pool: without one a broken connection would end the process.
  const onError = (error: Error): void => void (broken = error);
  client.on("error", onError);
  const { statementTimeoutMs } = options;
  waitOn(client, statementTimeoutMs === undefined ? undefined : statementTimeoutMs + ANSWER_GRACE_MS);
  try {
    await client.query(beginStatement(options, transactionLimits(client)));
    const result = await withContext({ transaction }, () => work(client));
    await commit(client);
    return result;
  } catch (error) {
    if (broken === undefined && isConnectionError(error)) broken = error as Error;
    if (broken === undefined) {
      await client.query("rollback").catch((failure: unknown) => (broken = failure as Error));
    }
    throw error;
  } finally {
    transaction.done = true;
    client.removeListener("error", onError);
    waitOn(client, undefined);
    client.release(broken);
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  let tag: string;
  try {
    ({ command: tag } = await client.query("commit"));
  } catch (error) {
    throw isConnectionError(error)
      ? mapDatabaseError(error, { certainty: neverSent(error) ? "definite" : "indefinite" })
      : error;
  }
  // PostgreSQL answers ROLLBACK to a commit after an error that the work swallowed.
  if (tag !== "COMMIT") throw new Error("The transaction was undone because a statement in it had failed");
}

function beginStatement(options: TransactionOptions, limits: string | undefined): string {
  const parts = [
    `begin isolation level ${options.isolation ?? "read committed"}${options.readOnly === true ? " read only" : ""}`,
  ];
  if (limits !== undefined) parts.push(limits);
  if (options.statementTimeoutMs !== undefined) {
    parts.push(`set local statement_timeout = ${Math.trunc(options.statementTimeoutMs)}`);
  }
  if (options.lockTimeoutMs !== undefined) parts.push(`set local lock_timeout = ${Math.trunc(options.lockTimeoutMs)}`);
  // The first query decides what all of them see: in the same round trip, so that this is what there was at now().
  if (options.isolation === "repeatable read") parts.push(firstQuery(options));
  return parts.join("; ");
}

/** What the last transaction was committed at that the replica has replayed is known to it alone, and only by asking. */
function firstQuery({ completeUntil }: TransactionOptions): string {
  if (completeUntil === undefined) return "select";
  const known = `to_timestamp(${String(completeUntil)} / 1000.0)`;
  return `select set_config('${AS_OF_SETTING}', greatest(pg_last_xact_replay_timestamp(), ${known})::text, true)`;
}

/** Limits each further statement of the open transaction. @param ms whole milliseconds */
export async function limitStatements(tx: Queryable, ms: number): Promise<void> {
  await tx.query({ text: `set local statement_timeout = ${String(Math.trunc(ms))}` });
}
