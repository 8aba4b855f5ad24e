import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf, timeText } from "@/db/query";
import { AGE_STEPS, type RiskTime, type Span } from "@/domain/metrics/risk";

/** Doubts of a chart that are read: this many that last, and this many that ended, the newest. */
export const DOUBTS_READ = 20_000;
/** Doubts of a window whose provider is looked up. */
const DOUBTS_TRACED = 1_000;

/**
 * What was in doubt at any moment of a time. One that lasts is open, the others were kept as they ended: those that ended in the time are
 * found by their end, those that lasted beyond it by the moment of its end. What ended in the moment that it began was never in doubt.
 */
function doubtsIn(tenantId: string, { from, to }: Span): SQL {
  const kept = sql`select s.operation_id, s.operation, s.since, s.until, s.amount_minor, s.currency
    from onceboard.settled_doubts s where s.tenant_id = ${tenantId} and s.until > s.since and s.since <= ${to}::timestamptz`;
  return sql`(select o.operation_id, o.operation, o.unknown_since as since, null::timestamptz as until, r.amount_minor, r.currency
    from onceboard.idempotency_open o
    join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation = o.operation and r.key = o.key
    where o.tenant_id = ${tenantId} and r.tenant_id = ${tenantId} and o.unknown_since <= ${to}::timestamptz
    limit ${DOUBTS_READ})
  union all
  (${kept} and s.until > ${from}::timestamptz and s.until <= ${to}::timestamptz order by s.until desc limit ${DOUBTS_READ})
  union all
  (${kept} and tstzrange(s.since, s.until) @> ${to}::timestamptz and s.until > ${to}::timestamptz limit ${DOUBTS_READ})`;
}

export interface DoubtStepRow {
  /** Empty: what is not about money. */
  readonly currency: string;
  /** Place in AGE_STEPS. */
  readonly step: number;
  /** Place of the step of the chart from which on the amount counts. */
  readonly index: number;
  /** Change at that step, minor units as text. */
  readonly minor: string;
  readonly count: number;
}

/**
 * Money in doubt over time, as the changes between the steps of a chart, per currency and step of age. A step shows the moment at which
 * most was in doubt in it, the last one the end of the chart. A doubt counts at a moment when it began at or before it and ended after it;
 * how old it is there decides its step of age.
 */
export async function selectDoubtSteps(q: Queryable, tenantId: string, time: RiskTime): Promise<DoubtStepRow[]> {
  const { from, to, stepSeconds, steps } = time;
  const ages = sql.join(
    AGE_STEPS.map(
      ({ fromSeconds, toSeconds }, step) => sql`(${step}::int, ${fromSeconds}::int, ${toSeconds ?? null}::int)`,
    ),
    sql`, `,
  );
  const [begin, end] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`];
  const stepOf = (at: SQL): SQL => sql`case when ${at} >= ${end} then ${steps}::int
    else least(${steps - 1}::int, floor(extract(epoch from ${at} - ${begin}) / ${stepSeconds}::int)::int) end`;
  // How many of the moments come before it: that is the place of the first one at which it counts.
  const placeOf = (at: SQL): SQL => sql`width_bucket(${at} - interval '1 microsecond', m.moments)`;
  return rowsOf(
    q,
    sql<DoubtStepRow>`with doubts as materialized (
  select coalesce(d.currency, '') as currency, coalesce(d.amount_minor, 0) as minor, d.since, d.until from (${doubtsIn(tenantId, { from, to })}) d),
changed as (
  select d.currency, greatest(d.since, ${begin}) as at, d.minor, 1 as count from doubts d
  union all select d.currency, d.until, -d.minor, -1 from doubts d where d.until <= ${end}
  union all select c.currency, t.at, 0, 0 from (select distinct d.currency from doubts d) c
    cross join (select ${begin} + make_interval(secs => n * ${stepSeconds}::int) as at from generate_series(0, ${steps}::int - 1) n union all select ${end}) t),
totals as (
  select x.currency, x.at, ${stepOf(sql`x.at`)} as place, sum(x.minor) over w as minor, sum(x.count) over w as count
  from changed x window w as (partition by x.currency order by x.at)),
highest as (
  select distinct on (t.currency, t.place) t.currency, t.place, t.at from totals t
  order by t.currency, t.place, t.minor desc, t.count desc, t.at),
moments as (select h.currency, array_agg(h.at order by h.place) as moments from highest h group by h.currency),
placed as (
  select d.currency, a.step, d.minor, ${placeOf(sql`(d.since + make_interval(secs => a.lo))`)} as first,
    coalesce(${placeOf(sql`least(d.until, d.since + make_interval(secs => a.hi))`)}, ${steps}::int + 1) as last
  from doubts d join moments m on m.currency = d.currency cross join (values ${ages}) a(step, lo, hi)),
changes as (
  select p.currency, p.step, p.first as index, p.minor, 1 as count from placed p where p.first < p.last
  union all
  select p.currency, p.step, p.last, -p.minor, -1 from placed p where p.first < p.last and p.last <= ${steps}::int)
select c.currency, c.step, c.index, sum(c.minor)::text as minor, sum(c.count)::int as count
from changes c group by 1, 2, 3 having sum(c.minor) <> 0 or sum(c.count) <> 0 order by 1, 2, 3`,
  );
}

export interface DoubtSpanRow {
  /** Doubts at any moment of the time. */
  readonly doubts: number;
  /** Open ones, or such that lasted beyond the time, are left out: there are more than are read. */
  readonly capped: boolean;
  /** Of those that ended there are more than are read: before this moment some are left out, RFC 3339. */
  readonly wholeFrom?: string | undefined;
}

export async function selectDoubtSpan(q: Queryable, tenantId: string, span: Span): Promise<DoubtSpanRow> {
  const ended = sql`(d.until <= ${span.to}::timestamptz)`;
  const [row] = await rowsOf(
    q,
    sql<DoubtSpanRow>`select count(*)::int as doubts,
  (count(*) filter (where d.until is null) >= ${DOUBTS_READ} or count(*) filter (where not ${ended}) >= ${DOUBTS_READ}) as capped,
  case when count(*) filter (where ${ended}) >= ${DOUBTS_READ} then ${timeText(sql`min(d.until) filter (where ${ended})`)} end as whole_from
from (${doubtsIn(tenantId, span)}) d`,
  );
  if (row === undefined) throw new Error("a count has one row");
  return row;
}

/** Doubts that began in a window, by the provider that they were sent to. */
export interface BegunRow {
  /** None: nothing says where it was sent. */
  readonly provider?: string | undefined;
  readonly count: number;
  /** Of the first and of the last that began, RFC 3339. */
  readonly first: string;
  readonly last: string;
}

export async function selectBegun(q: Queryable, tenantId: string, span: Span): Promise<BegunRow[]> {
  const first = timeText(sql`min(b.since)`);
  const last = timeText(sql`max(b.since)`);
  return rowsOf(
    q,
    sql<BegunRow>`select b.provider, count(*)::int as count, ${first} as first, ${last} as last
from (
  select d.since, (select p.provider from onceboard.provider_requests p
    where p.tenant_id = ${tenantId} and p.operation_id = d.operation_id order by p.prepared_at desc limit 1) as provider
  from (${doubtsIn(tenantId, span)}) d where d.since >= ${span.from}::timestamptz and d.since < ${span.to}::timestamptz limit ${DOUBTS_TRACED}) b
group by b.provider order by count(*) desc, b.provider`,
  );
}

export interface OpenBegunRow {
  readonly currency?: string | undefined;
  readonly minor: string;
  readonly count: number;
}

/** What is in doubt now and began in a window, per currency; without one, what is not about money. */
export async function selectOpenBegun(q: Queryable, tenantId: string, { from, to }: Span): Promise<OpenBegunRow[]> {
  return rowsOf(
    q,
    sql<OpenBegunRow>`select r.currency, coalesce(sum(r.amount_minor), 0)::text as minor, count(*)::int as count
from onceboard.idempotency_open o
join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation = o.operation and r.key = o.key
where o.tenant_id = ${tenantId} and r.tenant_id = ${tenantId}
  and o.unknown_since >= ${from}::timestamptz and o.unknown_since < ${to}::timestamptz
group by r.currency order by sum(r.amount_minor) desc nulls last, r.currency`,
  );
}
