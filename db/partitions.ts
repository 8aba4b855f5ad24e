import type { Queryable } from "./client";
import { callScalar } from "./named-call";

/** Days for which partitions are kept ready, so that a worker may be away for a week. */
export const PARTITION_DAYS_AHEAD = 7;

/**
 * Makes the day partitions that are missing, from yesterday (UTC) on.
 *
 * @param days how many days ahead of today, 0–400
 * @returns how many were made; 0 when all were there
 */
export async function ensurePartitions(q: Queryable, days: number = PARTITION_DAYS_AHEAD): Promise<number> {
  return (await callScalar<number>(q, "ensure_partitions", [days])) ?? 0;
}

/** Tables that are partitioned by day (UTC) and lose their past by the day. */
export const TABLES_BY_DAY = [
  "idempotency_bodies",
  "idempotency_events",
  "inbox_arrivals",
  "message_attempts",
  "outbox_history",
] as const;
export type TableByDay = (typeof TABLES_BY_DAY)[number];

/** Most days of one table that one call drops. */
export const DROP_DAYS_LIMIT = 31;

export interface DroppedPartition {
  readonly partition: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** false: kept, because an operation that is still open needs it. */
  readonly dropped: boolean;
  readonly bytes: bigint;
}

/**
 * Drops whole days of a table. Waits at most 2 s for its lock, then fails with 55P03 and changes nothing.
 *
 * @param input.before `YYYY-MM-DD` UTC: the first day that stays
 */
export async function dropPartitions(
  q: Queryable,
  input: { table: TableByDay; before: string; limit?: number },
): Promise<DroppedPartition[]> {
  const { rows } = await q.query<DroppedPartition>({
    text: "select * from onceboard.drop_partitions($1, $2, $3)",
    values: [input.table, input.before, input.limit ?? DROP_DAYS_LIMIT],
  });
  return rows;
}
