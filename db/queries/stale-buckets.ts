import type { Queryable } from "@/db/client";

/** @returns minutes that a late event made stale, oldest first. */
export async function staleBuckets(db: Queryable, tenantId: string, limit: number): Promise<Date[]> {
  const { rows } = await db.query<{ bucket: Date }>({
    name: "stale_buckets",
    text: `select bucket from onceboard.metric_buckets where tenant_id = $1 and stale order by bucket limit $2`,
    values: [tenantId, limit],
  });
  return rows.map((row) => row.bucket);
}
