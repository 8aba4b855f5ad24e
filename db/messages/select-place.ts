import type { Queryable } from "@/db/client";
import { iso, slotOf } from "../sql-text";
import type { SeriesWindow } from "../metrics/select-series";
import type { MessageSide } from "@/domain/messages/side";

const SLOT = slotOf("m.bucket", "$4");
const END = "to_timestamp(ceil(extract(epoch from date_trunc('minute', now())) / $4) * $4)";

export interface PlaceSeriesRow {
  readonly bucket: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly lag_p95_ms: number | null;
  readonly lag_max_ms: number | null;
}

/** One topic or consumer over time, from the roll-ups alone. The p95 of a wider bucket is the highest of its minutes. */
export async function selectPlaceSeries(
  q: Queryable,
  tenantId: string,
  place: { readonly side: MessageSide; readonly place: string },
  window: SeriesWindow,
): Promise<PlaceSeriesRow[]> {
  const { rows } = await q.query<PlaceSeriesRow>({
    text: `select ${iso("s.slot")} as bucket, s.succeeded, s.failed, s.dead, s.lag_p95_ms, s.lag_max_ms from (
  select ${SLOT} as slot, sum(m.succeeded)::int as succeeded, sum(m.failed)::int as failed, sum(m.dead)::int as dead,
    max(m.lag_p95_ms) as lag_p95_ms, max(m.lag_max_ms)::float8 as lag_max_ms
  from onceboard.metric_messages m
  where m.tenant_id = $1 and m.side = $2 and m.place = $3 and m.bucket >= ${END} - make_interval(secs => $4 * $5) and m.bucket < ${END}
  group by 1) s`,
    values: [tenantId, place.side, place.place, window.bucketSeconds, window.buckets],
  });
  return rows;
}

export interface PlaceErrorRow {
  /** Of dead letters only: what groups them. */
  readonly fingerprint: string | null;
  readonly code: string;
  readonly error: string;
  readonly waiting: number;
  readonly dead: number;
  readonly last_at: string | null;
}

const ERRORS = 20;

/** What is wrong at a place now: open dead letters by cause, and what waits for its next attempt by its last error. */
export async function selectPlaceErrors(
  q: Queryable,
  tenantId: string,
  { side, place }: { readonly side: MessageSide; readonly place: string },
): Promise<PlaceErrorRow[]> {
  const waits =
    side === "outbox"
      ? "onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = $2 and m.state = 'pending'"
      : "onceboard.inbox_open o join onceboard.inbox_messages m on m.tenant_id = o.tenant_id and m.id = o.id where o.tenant_id = $1 and o.consumer = $2";
  const { rows } = await q.query<PlaceErrorRow>({
    text: `(select d.error_fingerprint as fingerprint, (array_agg(d.error_code order by d.dead_at desc))[1] as code,
  (array_agg(d.error order by d.dead_at desc))[1] as error, 0 as waiting, count(*)::int as dead, ${iso("max(d.dead_at)")} as last_at
from onceboard.dead_letters d where d.tenant_id = $1 and d.side = $3 and d.place = $2 and d.settled_at is null
group by d.error_fingerprint order by count(*) desc limit $4)
union all
(select null, m.last_error_code, max(m.last_error), count(*)::int, 0, null from ${waits} and m.last_error_code is not null
group by m.last_error_code order by count(*) desc limit $4)`,
    values: [tenantId, place, side, ERRORS],
  });
  return rows;
}

/** Newest arrivals that are looked through for what a consumer gets. */
export const ARRIVALS_SCANNED = 5_000;

export interface ConsumerTypeRow {
  readonly type: string;
  readonly source: string;
  readonly count: number;
  readonly duplicates: number;
  readonly mismatches: number;
  readonly superseded: number;
  readonly ignored: number;
  readonly last_at: string;
}

/** What came for a consumer of late and what it said: among the newest arrivals of the tenant, so its cost is bounded. */
export async function selectConsumerTypes(
  q: Queryable,
  tenantId: string,
  consumer: string,
): Promise<ConsumerTypeRow[]> {
  const { rows } = await q.query<ConsumerTypeRow>({
    text: `select m.type, m.source, count(*)::int as count, sum(m.duplicates)::int as duplicates, sum(m.mismatches)::int as mismatches,
  count(*) filter (where m.result like 'superseded%')::int as superseded, count(*) filter (where m.result = 'ignored')::int as ignored,
  ${iso("max(m.received_at)")} as last_at
from (select i.consumer, i.type, i.source, i.duplicates, i.mismatches, i.result, i.received_at from onceboard.inbox_messages i
  where i.tenant_id = $1 order by i.received_at desc, i.id desc limit $3) m
where m.consumer = $2 group by m.type, m.source order by count(*) desc, m.type limit $4`,
    values: [tenantId, consumer, ARRIVALS_SCANNED, ERRORS],
  });
  return rows;
}
