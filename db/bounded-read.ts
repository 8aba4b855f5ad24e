import type { Database, Queryable } from "./client";
import { inTransaction, openTransaction } from "./transaction";
import { databaseErrorCode } from "./errors";
import { AppError } from "@/domain/errors";

/** How long a read of each class may run before PostgreSQL cancels it, ms. */
export const READ_TIMEOUT_MS = { list: 3_000, detail: 3_000, search: 10_000, check: 10_000 } as const;
export type ReadClass = keyof typeof READ_TIMEOUT_MS;

/** A whole read, or the fact that it was cancelled after its time. */
export type Bounded<T> =
  { readonly kind: "done"; readonly value: T } | { readonly kind: "too_broad"; readonly stoppedAfterSeconds: number };

const QUERY_CANCELED = "57014";

/**
 * Runs reads in one read-only transaction under the statement timeout of their class. All of them see the rows of one moment: what a page
 * counts is what it lists. Inside another one it is a part of that one, of its moment and under its timeout.
 */
export async function boundedRead<T>(
  db: Pick<Database, "pool">,
  kind: ReadClass,
  work: (q: Queryable) => Promise<T>,
): Promise<Bounded<T>> {
  const open = openTransaction(db);
  if (open !== undefined) return boundedPart(open, kind, work);
  const statementTimeoutMs = READ_TIMEOUT_MS[kind];
  try {
    const value = await inTransaction(db, work, { isolation: "repeatable read", readOnly: true, statementTimeoutMs });
    return { kind: "done", value };
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
export async function readWithin<T>(
  db: Pick<Database, "pool">,
  kind: ReadClass,
  work: (q: Queryable) => Promise<T>,
): Promise<T> {
  const read = await boundedRead(db, kind, work);
  if (read.kind === "done") return read.value;
  throw new AppError("dependency.timeout", 504, "The database did not answer in time", {
    retryable: true,
    retryAfter: 1,
  });
}
