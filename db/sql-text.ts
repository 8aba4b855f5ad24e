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

/** @returns one object per row, a member for each column of `sql` that is not null; bigint and bytea have to leave as text. */
export async function objects<Row>(q: Queryable, sql: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await q.query<{ row: Row }>({
    text: `select jsonb_strip_nulls(to_jsonb(o)) as row from (${sql}) o`,
    values: [...values],
  });
  return rows.map(({ row }) => row);
}

/** A time as text with microseconds: a Date keeps milliseconds only, and a cursor needs all of it. */
export function iso(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** @returns SQL for the start of the slot of so many seconds that a time falls into; slots count from 1970, so days are days of UTC. */
export function slotOf(column: string, seconds: string): string {
  return `date_bin(make_interval(secs => ${seconds}), ${column}, timestamptz 'epoch')`;
}

/** Whether an operation is an action of the console: its own history, not a client's. */
export function isConsoleAction(column: string): string {
  return `${column} like 'admin.%'`;
}
