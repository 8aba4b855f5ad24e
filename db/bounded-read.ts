import type { Database, Queryable } from "./client";
import { inTransaction, openTransaction, type TransactionOptions } from "./transaction";
import { databaseErrorCode } from "./errors";
import { AppError } from "@/domain/errors";

/** How long a read of each class may run before PostgreSQL cancels it, ms. */
export const READ_TIMEOUT_MS = { list: 3_000, detail: 3_000, search: 10_000, check: 10_000 } as const;
export type ReadClass = keyof typeof READ_TIMEOUT_MS;

/** A database, or a part of it that reads: with `reads` also from its read replica. */
type ReadFrom = Pick<Database, "pool" | "reads">;

/** A whole read, or the fact that it was cancelled after its time. */
export type Bounded<T> =
  { readonly kind: "done"; readonly value: T } | { readonly kind: "too_broad"; readonly stoppedAfterSeconds: number };

const QUERY_CANCELED = "57014";

/**
 * Runs reads in one read-only transaction under the statement timeout of their class. All of them see the rows of one moment: what a page
 * counts is what it lists. Where `db.reads` is, they may be of the read replica, which is a moment behind; what fails there is read
 * again from the primary. Inside another one it is a part of that one, of its moment and under its timeout.
 */
export async function boundedRead<T>(
  db: ReadFrom,
  kind: ReadClass,
  work: (q: Queryable) => Promise<T>,
): Promise<Bounded<T>> {
  const open = openTransaction(db) ?? (db.reads && openTransaction(db.reads));
  if (open !== undefined) return boundedPart(open, kind, work);
  const completeUntil = await db.reads?.begin();
  if (db.reads === undefined || completeUntil === undefined) return readOn(db, kind, work);
  try {
    // What stands in its way there is not tried again: the primary has no such conflicts.
    return await readOn(db.reads, kind, work, { completeUntil, retries: 0 });
  } catch (error) {
    if (!db.reads.gaveUp(error)) throw error;
    return readOn(db, kind, work);
  }
}

/** The same database without its read replica: for what must be as it is now, or is compared with what is. */
export function primaryOf(db: ReadFrom): Pick<Database, "pool"> {
  return { pool: db.pool };
}

async function readOn<T>(
  db: Pick<Database, "pool">,
  kind: ReadClass,
  work: (q: Queryable) => Promise<T>,
  more: TransactionOptions = {},
): Promise<Bounded<T>> {
  const statementTimeoutMs = READ_TIMEOUT_MS[kind];
  const options = { ...more, isolation: "repeatable read", readOnly: true, statementTimeoutMs } as const;
  try {
    return { kind: "done", value: await inTransaction(db, work, options) };
  } catch (error) {
    if (!isCancelled(error)) throw error;
    return { kind: "too_broad", stoppedAfterSeconds: statementTimeoutMs / 1_000 };
  }
}

function isCancelled(error: unknown): boolean {
  return (
    (error instanceof AppError && error.code === "dependency.timeout") || databaseErrorCode(error) === QUERY_CANCELED
  );
}

/**
 * A part of a bounded read of the same class, at the same moment as the rest. When it is cancelled after its time, the rest goes on. One
 * part at a time: they share a connection.
 */
export async function boundedPart<T>(
  q: Queryable,
  kind: ReadClass,
  work: (q: Queryable) => Promise<T>,
): Promise<Bounded<T>> {
  await q.query({ text: "savepoint part" });
  try {
    const value = await work(q);
    await q.query({ text: "release savepoint part" });
    return { kind: "done", value };
  } catch (error) {
    // Released as well: a part may hold parts, whose savepoints have the same name.
    await q.query({ text: "rollback to savepoint part; release savepoint part" });
    if (!isCancelled(error)) throw error;
    return { kind: "too_broad", stoppedAfterSeconds: READ_TIMEOUT_MS[kind] / 1_000 };
  }
}

/** @throws AppError `dependency.timeout` 504 when it was cancelled: for reads of one thing, which cannot be narrowed. */
export async function readWithin<T>(db: ReadFrom, kind: ReadClass, work: (q: Queryable) => Promise<T>): Promise<T> {
  const read = await boundedRead(db, kind, work);
  if (read.kind === "done") return read.value;
  throw new AppError("dependency.timeout", 504, "The database did not answer in time", {
    retryable: true,
    retryAfter: 1,
  });
}
