import type { Queryable } from "@/db/client";

/** Deletes minutes and gauges that are older than `days`, one batch of each; hours stay. @returns how many rows. */
export async function purgeMetrics(db: Queryable, tenantId: string, days: number, limit: number): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_metrics",
    text: "select onceboard.purge_metrics($1,$2,$3) as purged",
    values: [tenantId, days, limit],
  });
  return rows[0]?.purged ?? 0;
}
