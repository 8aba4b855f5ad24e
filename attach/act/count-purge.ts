import type { Foreign } from "../connection";
import { quoteName } from "../contract/tables";

/** What a purge would delete now. */
export interface PurgeCount {
  /** Rows of each call of the function, in their order; none is empty. */
  readonly batches: readonly number[];
  /** Counting stopped at a limit: there may be more. */
  readonly more: boolean;
}

export interface PurgeLimits {
  /** Rows of one call. */
  readonly rows: number;
  readonly batches: number;
  /** No further call begins after this, ms. */
  readonly withinMs: number;
}

/**
 * Counts what a purge would delete, by the function itself: called in a transaction that is always rolled back. No other rule says exactly
 * what it would take. Rows that it counts are locked until then, and those that somebody works on are left out, as in a purge.
 *
 * @throws the driver's error; nothing was changed then either
 */
export async function countPurge(
  foreign: Foreign,
  schema: string,
  before: Date,
  { rows, batches: most, withinMs }: PurgeLimits,
): Promise<PurgeCount> {
  const transaction = await foreign.begin();
  try {
    const batches: number[] = [];
    const ends = performance.now() + withinMs;
    for (;;) {
      const [counted] = await transaction.query<{ readonly n: number }>(
        `select count(*)::integer as n from ${quoteName(schema)}.purge($1::timestamp with time zone, $2::integer)`,
        [before, rows],
      );
      const n = counted?.n ?? 0;
      if (n > 0) batches.push(n);
      if (n < rows) return { batches, more: false };
      if (batches.length >= most || performance.now() > ends) return { batches, more: true };
    }
  } finally {
    await transaction.rollback();
  }
}
