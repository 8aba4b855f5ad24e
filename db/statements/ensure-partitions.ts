import type { Queryable } from "../client";

/** Days for which partitions are kept ready, so that a worker may be away for a week. */
export const PARTITION_DAYS_AHEAD = 7;

/**
 * Makes the day partitions that are missing, from yesterday (UTC) on.
 *
 * @param days how many days ahead of today, 0–400
 * @returns how many were made; 0 when all were there
 */
export async function ensurePartitions(q: Queryable, days: number = PARTITION_DAYS_AHEAD): Promise<number> {
  const { rows } = await q.query<{ made: number }>({
    text: "select onceboard.ensure_partitions($1) as made",
    values: [days],
  });
  return rows[0]?.made ?? 0;
}
