import type { Queryable } from "@/db/client";

export interface RollUpProgress {
  /** First minute after the last computed one; undefined before the first roll-up. */
  readonly next: Date | undefined;
  /** Minute of the tenant's first operation, if it has one. */
  readonly first: Date | undefined;
  /** End (exclusive) of the minutes that are closed. */
  readonly closed: Date;
}

/** @param graceSeconds how long after its end a minute counts as open, for events that are still being written */
export async function rollUpProgress(db: Queryable, tenantId: string, graceSeconds: number): Promise<RollUpProgress> {
  const { rows } = await db.query<{ next: Date | null; first: Date | null; closed: Date }>({
    name: "roll_up_progress",
    text: `select
        (select b.bucket + interval '1 minute' from onceboard.metric_buckets b
         where b.tenant_id = $1 and b.computed_at is not null order by b.bucket desc limit 1) as next,
        (select date_trunc('minute', r.created_at) from onceboard.idempotency_requests r
         where r.tenant_id = $1 order by r.created_at limit 1) as first,
        date_trunc('minute', clock_timestamp() - make_interval(secs => $2)) as closed`,
    values: [tenantId, graceSeconds],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("roll-up progress: no row");
  return { next: row.next ?? undefined, first: row.first ?? undefined, closed: row.closed };
}
