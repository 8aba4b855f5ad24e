import type { Queryable } from "@/db/client";
import { isConsoleAction, iso } from "../sql-text";

export interface SeriesWindow {
  /** Bucket width in seconds; whole minutes. */
  readonly bucketSeconds: number;
  readonly buckets: number;
}

export interface SeriesRow {
  readonly bucket: string;
  readonly outcome: string;
  readonly count: number;
  readonly p95: number | null;
}

/** Rows of a chart are bounded by its buckets times the outcomes; a bucket is a multiple of this many seconds. */
const SLOT = "to_timestamp(floor(extract(epoch from m.bucket) / $2) * $2)";
/** End of the last bucket: it holds every closed minute, so what just happened is drawn; the open minute is not. */
const END = "to_timestamp(ceil(extract(epoch from date_trunc('minute', now())) / $2) * $2)";

/** Counts per bucket and outcome from the roll-ups. The p95 of a wider bucket is the highest of its minutes: it never flatters. */
export async function selectSeries(q: Queryable, tenantId: string, window: SeriesWindow): Promise<SeriesRow[]> {
  const { rows } = await q.query<SeriesRow>({
    text: `select ${iso(SLOT)} as bucket, m.outcome, sum(m.count)::int as count, max(m.latency_p95_ms) filter (where m.outcome = 'executed') as p95
from onceboard.metric_minutes m
where m.tenant_id = $1 and m.bucket >= ${END} - make_interval(secs => $2 * $3) and m.bucket < ${END} and not (${isConsoleAction("m.operation")})
group by 1, 2`,
    values: [tenantId, window.bucketSeconds, window.buckets],
  });
  return rows;
}

export interface GaugeRow {
  readonly bucket: string;
  readonly name: string;
  readonly value: number;
}

/** Highest sample per bucket, in the gauge's own unit. */
export async function selectGauges(
  q: Queryable,
  tenantId: string,
  names: readonly string[],
  window: SeriesWindow,
): Promise<GaugeRow[]> {
  const { rows } = await q.query<GaugeRow>({
    text: `select ${iso(SLOT)} as bucket, m.name, max(m.value) as value
from onceboard.metric_gauges m
where m.tenant_id = $1 and m.name = any($4::text[]) and m.bucket >= ${END} - make_interval(secs => $2 * $3) and m.bucket < ${END}
group by 1, 2`,
    values: [tenantId, window.bucketSeconds, window.buckets, names],
  });
  return rows;
}

/** Whether the tenant's oldest rolled-up minute is younger than an hour, or there is none. */
export async function selectIsYoung(q: Queryable, tenantId: string): Promise<boolean> {
  const { rows } = await q.query<{ young: boolean }>({
    text: `select coalesce(min(m.bucket) > now() - interval '1 hour', true) as young from onceboard.metric_minutes m where m.tenant_id = $1`,
    values: [tenantId],
  });
  return rows[0]?.young ?? true;
}

export interface SeriesFrame {
  /** Database time of the read. */
  readonly at: string;
  readonly end: string;
  readonly rolled_up_ms: number | null;
}

/** Ends of the axis, and the age of the newest computed minute. */
export async function selectSeriesFrame(q: Queryable, tenantId: string, window: SeriesWindow): Promise<SeriesFrame> {
  const { rows } = await q.query<SeriesFrame>({
    text: `select ${iso("now()")} as at, ${iso(END)} as end, (select (extract(epoch from now() - max(b.computed_at)) * 1000)::float8
  from (select computed_at from onceboard.metric_buckets where tenant_id = $1 and computed_at is not null order by bucket desc limit 5) b) as rolled_up_ms`,
    values: [tenantId, window.bucketSeconds],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("the axis of a chart returned no row");
  return row;
}
