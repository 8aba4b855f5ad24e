import type { SeedStatement } from "../statement";

/** Longer than this on its way, and a message waited: seconds. */
const WAITED = 20;

/** What the sampler would have seen in each whole minute since `$2`, from the rows of the incidents; between them next to nothing is open. `$1` tenant. */
export const GAUGE_ROWS: SeedStatement = {
  table: "metric_gauges",
  text: `insert into onceboard.metric_gauges (tenant_id, bucket, name, value)
with minutes as (
  select m, abs(hashint8extended(extract(epoch from m)::bigint, 7) % 100)::integer as dice
  from generate_series(date_trunc('minute', $2::timestamptz), date_trunc('minute', now()) - interval '1 minute', interval '1 minute') m
), unknown as materialized (
  select e.at + make_interval(secs => e.latency_ms / 1000.0) as since, r.completed_at as until from onceboard.idempotency_events e
  join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = e.operation_id
  where e.tenant_id = $1 and e.type = 'unknown' and e.attempt = 1
), dead as materialized (
  select d.dead_at as since, d.settled_at as until, d.message_row_id from onceboard.dead_letters d where d.tenant_id = $1 and d.settled_at is not null
), waited as materialized (
  select h.created_at as since, coalesce(d.since, h.published_at) as until from onceboard.outbox_history h left join dead d on d.message_row_id = h.id
  where h.tenant_id = $1 and h.published_at > h.created_at + interval '${String(WAITED)} seconds'
), seen as (
  select m, dice, u.count as unknown, u.age as unknown_age, d.count as dead, w.count as waited, w.age as waited_age from minutes
  cross join lateral (select count(*) as count, coalesce(extract(epoch from m - min(since)), 0) as age from unknown where m >= since and m < until) u
  cross join lateral (select count(*) as count from dead where m >= since and m < until) d
  cross join lateral (select count(*) as count, coalesce(extract(epoch from m - min(since)), 0) as age from waited where m >= since and m < until) w
)
select $1::text, m, g.name, g.value from seen cross join lateral (values
  ('in_progress', (dice % 3)::double precision), ('stale', 0), ('oldest_in_progress_seconds', case when dice % 3 = 0 then 0 else dice / 100.0 end),
  ('unknown', unknown), ('oldest_unknown_seconds', unknown_age), ('dead_letters', dead),
  ('outbox_pending', waited + dice % 4), ('outbox_oldest_seconds', greatest(waited_age, (dice % 4) * 0.3)),
  ('inbox_recorded', dice % 2), ('inbox_oldest_seconds', dice % 2 * 0.2)) g(name, value)
on conflict do nothing`,
};
