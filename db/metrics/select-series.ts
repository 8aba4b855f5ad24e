import type { Queryable } from "@/db/client";
import { textRows } from "@/db/query";
import { iso } from "../sql-text";

export interface SeriesWindow {
  /** Bucket width in seconds; whole minutes. */
  readonly bucketSeconds: number;
  readonly buckets: number;
}

/** End of the last bucket: it holds every closed minute, so what just happened is drawn; the open minute is not. */
const END = "to_timestamp(ceil(extract(epoch from date_trunc('minute', now())) / $2) * $2)";

/** Whether the tenant's oldest rolled-up minute is younger than an hour, or there is none. */
export async function selectIsYoung(q: Queryable, tenantId: string): Promise<boolean> {
  const rows = await textRows<{ young: boolean }>(
    q,
    `select coalesce(min(m.bucket) > now() - interval '1 hour', true) as young from onceboard.metric_minutes m where m.tenant_id = $1`,
    [tenantId],
  );
  return rows[0]?.young ?? true;
}

export interface SeriesFrame {
  /** Database time of the read. */
  readonly at: string;
  readonly end: string;
  readonly rolledUpMs?: number | undefined;
}

/** Ends of the axis, and the age of the newest computed minute. */
export async function selectSeriesFrame(q: Queryable, tenantId: string, window: SeriesWindow): Promise<SeriesFrame> {
  const rows = await textRows<SeriesFrame>(
    q,
    `select ${iso("now()")} as at, ${iso(END)} as end, (select (extract(epoch from now() - max(b.computed_at)) * 1000)::float8
  from (select computed_at from onceboard.metric_buckets where tenant_id = $1 and computed_at is not null order by bucket desc limit 5) b) as rolled_up_ms`,
    [tenantId, window.bucketSeconds],
  );
  const row = rows[0];
  if (row === undefined) throw new Error("the axis of a chart returned no row");
  return row;
}
