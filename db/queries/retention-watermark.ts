import type { Queryable } from "@/db/client";

/**
 * How far a walk over ended windows may be remembered: not past the window of an operation that is still open, for it must
 * expire once it is settled.
 */
export async function retentionWatermark(db: Queryable, tenantId: string, overlapMinutes: number): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>({
    text: `select least(clock_timestamp(), (
             select min(r.expires_at) from onceboard.idempotency_open o
             join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
             where o.tenant_id = $1)) - make_interval(mins => $2) as at`,
    values: [tenantId, overlapMinutes],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("retention watermark: no row");
  return row.at;
}
