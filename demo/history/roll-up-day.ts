import type { Queryable } from "@/db/client";

/** One day of a history. */
export interface HistoryDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** The statement that makes its temporary table `seed_rows`. */
  readonly rows: string;
  /** 1: today. */
  readonly ago: number;
}

/** Days whose minutes are kept; of older ones only the hours, as retention leaves them. */
const MINUTE_DAYS = 8;
const SETTLE_SECONDS = 60;

/** The minutes, hours and days that are not computed yet, as if retention had been here: nothing asks for these minutes again. */
const HOURS = [
  `insert into onceboard.metric_buckets (tenant_id, bucket, computed_at)
select $1::text, m, now() from generate_series($2::date::timestamp at time zone 'utc', ($2::date + 1)::timestamp at time zone 'utc' - interval '1 minute', interval '1 minute') m
on conflict do nothing`,
  `insert into onceboard.metric_hours (tenant_id, bucket, operation, client, outcome, count, latency_p95_ms, latency_max_ms, delay_sum_ms, delay_count)
select $1::text, a.* from onceboard.metric_rows($1, 'hour', $2::date::timestamp at time zone 'utc', ($2::date + 1)::timestamp at time zone 'utc') a on conflict do nothing`,
  `insert into onceboard.metric_clients (tenant_id, bucket, client, measure, count, sum)
select $1::text, a.bucket, a.client, a.measure, a.count, a.sum
from onceboard.client_measures($1, 'hour', $2::date::timestamp at time zone 'utc', ($2::date + 1)::timestamp at time zone 'utc') a on conflict do nothing`,
  `insert into onceboard.metric_client_days (tenant_id, day, client, measure, count, sum, top)
select m.tenant_id, $2::date, m.client, m.measure, sum(m.count)::int, sum(m.sum), max(m.sum) from onceboard.metric_clients m
where m.tenant_id = $1 and m.bucket >= $2::date::timestamp at time zone 'utc' and m.bucket < ($2::date + 1)::timestamp at time zone 'utc'
group by m.tenant_id, m.client, m.measure on conflict do nothing`,
  `insert into onceboard.metric_suppressed (tenant_id, unit, bucket, operation, client, currency, count, sum_minor)
select $1::text, 'hour', a.*
from onceboard.suppressed_rows($1, 'hour', $2::date::timestamp at time zone 'utc', ($2::date + 1)::timestamp at time zone 'utc') a on conflict do nothing`,
];

const COMPUTED = `select exists (select 1 from onceboard.metric_buckets b
where b.tenant_id = $1 and b.bucket = $2::date::timestamp at time zone 'utc' and b.computed_at is not null) as computed`;

/**
 * Roll-ups of one seeded day: of the last days by the function that the roll-up loop calls, the open minute left to the loop; of older
 * ones the hours, by the queries under that function.
 */
export async function rollUpDay(
  q: Queryable,
  tenant: string,
  { day, ago }: Pick<HistoryDay, "day" | "ago">,
): Promise<void> {
  if (ago > MINUTE_DAYS) {
    const { rows } = await q.query<{ computed: boolean }>({ text: COMPUTED, values: [tenant, day] });
    if (rows[0]?.computed === true) return;
    for (const text of HOURS) await q.query({ text, values: [tenant, day] });
    return;
  }
  await q.query({
    text: `select onceboard.roll_up($1, d.start, least(d.start + interval '1 day', date_trunc('minute', now())), $3)
from (select $2::date::timestamp at time zone 'utc' as start) d where d.start < date_trunc('minute', now())`,
    values: [tenant, day, SETTLE_SECONDS],
  });
}
