import type { Database, Queryable } from "./client";
import { inTransaction } from "./transaction";
import { databaseErrorCode } from "./errors";
import { AppError } from "@/domain/errors";

/** How long a read of each class may run before PostgreSQL cancels it, ms. */
export const READ_TIMEOUT_MS = { list: 3_000, detail: 3_000, search: 10_000, check: 10_000 } as const;
export type ReadClass = keyof typeof READ_TIMEOUT_MS;

/** A whole read, or the fact that it was cancelled after its time. */
export type Bounded<T> =
  { readonly kind: "done"; readonly value: T } | { readonly kind: "too_broad"; readonly stoppedAfterSeconds: number };

const QUERY_CANCELED = "57014";

/** Runs reads in one read-only transaction under the statement timeout of their class. */
export async function boundedRead<T>(
  db: Pick<Database, "pool">,
  kind: ReadClass,
  work: (q: Queryable) => Promise<T>,
): Promise<Bounded<T>> {
  const statementTimeoutMs = READ_TIMEOUT_MS[kind];
  try {
    const value = await inTransaction(db, work, { readOnly: true, statementTimeoutMs });
    return { kind: "done", value };
  } catch (error) {
    const cancelled =
      (error instanceof AppError && error.code === "dependency.timeout") || databaseErrorCode(error) === QUERY_CANCELED;
    if (!cancelled) throw error;
    return { kind: "too_broad", stoppedAfterSeconds: statementTimeoutMs / 1_000 };
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
