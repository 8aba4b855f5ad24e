import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";

/** Recomputes what needs it of [from, to). @returns minutes that were computed. */
export async function rollUpRange(
  db: Queryable,
  {
    tenantId: tenant,
    ...rest
  }: {
    readonly tenantId: string;
    readonly from: Date;
    readonly to: Date;
    readonly settleSeconds: number;
  },
): Promise<number> {
  return (await callScalar<number>(db, "roll_up", { tenant, ...rest })) ?? 0;
}

/** Samples what is open into the current minute. @returns how many gauges. */
export async function sampleGauges(db: Queryable, tenant: string): Promise<number> {
  return (await callScalar<number>(db, "sample_gauges", { tenant })) ?? 0;
}

/** Counts of the huge states; exact up to `bound` requests, an estimate beyond. */
export async function takeCountSnapshots(db: Queryable, tenant: string, bound: number): Promise<"exact" | "estimate"> {
  return (await callScalar<"exact" | "estimate">(db, "take_count_snapshots", { tenant, bound })) ?? "exact";
}

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

/** @returns minutes that a late event made stale, oldest first. */
export async function staleBuckets(db: Queryable, tenantId: string, limit: number): Promise<Date[]> {
  const { rows } = await db.query<{ bucket: Date }>({
    name: "stale_buckets",
    text: `select bucket from onceboard.metric_buckets where tenant_id = $1 and stale order by bucket limit $2`,
    values: [tenantId, limit],
  });
  return rows.map((row) => row.bucket);
}
