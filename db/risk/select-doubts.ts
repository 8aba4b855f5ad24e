import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf, timeText } from "@/db/query";
import { AGE_STEPS, type RiskTime, type Span } from "@/domain/metrics/risk";

/** Doubts of a chart that are read: this many that last, and this many that ended, the newest. */
export const DOUBTS_READ = 20_000;
/** Doubts of a window whose provider is looked up. */
const DOUBTS_TRACED = 1_000;

/** What was in doubt at any moment of a time. One that lasts is open, the others were kept as they ended. */
function doubtsIn(tenantId: string, { from, to }: Span): SQL {
  return sql`(select o.operation_id, o.operation, o.unknown_since as since, null::timestamptz as until, r.amount_minor, r.currency
    from onceboard.idempotency_open o
    join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation = o.operation and r.key = o.key
    where o.tenant_id = ${tenantId} and r.tenant_id = ${tenantId} and o.unknown_since <= ${to}::timestamptz
    limit ${DOUBTS_READ})
  union all
  (select s.operation_id, s.operation, s.since, s.until, s.amount_minor, s.currency
    from onceboard.settled_doubts s
    where s.tenant_id = ${tenantId} and s.until > ${from}::timestamptz and s.since <= ${to}::timestamptz
    order by s.until desc limit ${DOUBTS_READ})`;
}

export interface DoubtStepRow {
  /** Empty: what is not about money. */
  readonly currency: string;
  /** Place in AGE_STEPS. */
  readonly step: number;
  /** Place of the point from which on the amount counts. */
  readonly index: number;
  /** Change at that point, minor units as text. */
  readonly minor: string;
  readonly count: number;
}

/**
 * Money in doubt over time, as the changes between the points of a chart, per currency and step of age. A doubt counts at a point when it
 * began at or before it and ended after it; how old it is there decides its step.
 */
export async function selectDoubtSteps(q: Queryable, tenantId: string, time: RiskTime): Promise<DoubtStepRow[]> {
  const { from, to, stepSeconds, steps } = time;
  const ages = sql.join(
    AGE_STEPS.map(
      ({ fromSeconds, toSeconds }, step) => sql`(${step}::int, ${fromSeconds}::int, ${toSeconds ?? null}::int)`,
    ),
    sql`, `,
  );
  const pointFrom = (at: SQL): SQL => sql`case when ${at} > ${to}::timestamptz then ${steps + 1}::int
    else least(${steps}::int, greatest(0, ceil(extract(epoch from ${at} - ${from}::timestamptz) / ${stepSeconds}::int)))::int end`;
  return rowsOf(
    q,
    sql<DoubtStepRow>`with doubts as materialized (${doubtsIn(tenantId, { from, to })}),
aged as (
  select coalesce(d.currency, '') as currency, a.step, coalesce(d.amount_minor, 0) as minor,
    d.since + make_interval(secs => a.lo) as since,
    least(d.until, d.since + make_interval(secs => a.hi)) as until
  from doubts d cross join (values ${ages}) a(step, lo, hi)),
placed as (
  select g.currency, g.step, g.minor, ${pointFrom(sql`g.since`)} as first,
    case when g.until is null then ${steps + 1}::int else ${pointFrom(sql`g.until`)} end as last
  from aged g),
changes as (
  select p.currency, p.step, p.first as index, p.minor, 1 as count from placed p where p.first < p.last
  union all
  select p.currency, p.step, p.last, -p.minor, -1 from placed p where p.first < p.last and p.last <= ${steps}::int)
select c.currency, c.step, c.index, sum(c.minor)::text as minor, sum(c.count)::int as count
from changes c group by 1, 2, 3 having sum(c.minor) <> 0 or sum(c.count) <> 0 order by 1, 2, 3`,
  );
}

export interface DoubtSpanRow {
  /** Doubts at any moment of the time, also those between two points. */
  readonly doubts: number;
  /** More than were read. */
  readonly capped: boolean;
}

export async function selectDoubtSpan(q: Queryable, tenantId: string, span: Span): Promise<DoubtSpanRow> {
  const [row] = await rowsOf(
    q,
    sql<DoubtSpanRow>`select count(*)::int as doubts,
  (count(*) filter (where d.until is null) >= ${DOUBTS_READ} or count(*) filter (where d.until is not null) >= ${DOUBTS_READ}) as capped
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
