import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { answersInTime } from "@/db/operations/answers-in-time";
import { rowsOf, timeText } from "@/db/query";
import type { Span } from "@/domain/metrics/risk";

/** Working days that a usual is made of, at most, and days that are looked back for them: minutes are kept for a month. */
export const USUAL_DAYS = 20;
const LOOK_DAYS = 30;

const hours = (days: SQL): SQL => sql`make_interval(hours => 24 * ${days})`;

/** Minutes of a time that were rolled up, from its first one on without a hole. */
export async function selectCountedUntil(q: Queryable, tenantId: string, { from, to }: Span): Promise<string> {
  const until = timeText(sql`coalesce(min(t.minute), ${to}::timestamptz)`);
  const [row] = await rowsOf(
    q,
    sql<{ until: string }>`select ${until} as until
from generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 minute', interval '1 minute') t(minute)
where not exists (select 1 from onceboard.metric_buckets b
  where b.tenant_id = ${tenantId} and b.bucket = t.minute and b.computed_at is not null)`,
  );
  return row?.until ?? from;
}

/**
 * The last working days (UTC) of which every one of the same minutes was rolled up.
 * @returns how many days before, the nearest first
 */
export async function selectUsualDays(q: Queryable, tenantId: string, { from, to }: Span): Promise<number[]> {
  const day = sql.raw("d.n");
  const rows = await rowsOf(
    q,
    sql<{ n: number }>`select d.n from generate_series(1, ${LOOK_DAYS}) d(n)
where extract(isodow from (${from}::timestamptz - ${hours(day)}) at time zone 'utc') < 6
  and (select count(*) from onceboard.metric_buckets b where b.tenant_id = ${tenantId} and b.computed_at is not null
    and b.bucket >= ${from}::timestamptz - ${hours(day)} and b.bucket < ${to}::timestamptz - ${hours(day)})
    = extract(epoch from ${to}::timestamptz - ${from}::timestamptz) / 60
order by d.n limit ${USUAL_DAYS}`,
  );
  return rows.map(({ n }) => n);
}

export interface DayValueRow {
  /** Days before the window; 0: the window itself. */
  readonly day: number;
  /** An outcome with its count, `first_answer` with the highest p95 of a minute in ms, or a gauge with its highest sample. */
  readonly name: string;
  readonly value: number;
}

/** What was measured in the same minutes of several days, from the roll-ups. What has no row was not there: a count is 0. */
export async function selectDayValues(
  q: Queryable,
  tenantId: string,
  { from, to }: Span,
  days: readonly number[],
  gauges: readonly string[],
): Promise<DayValueRow[]> {
  const day = sql.raw("d.day");
  const same = (bucket: string): SQL =>
    sql`${sql.raw(bucket)} >= ${from}::timestamptz - ${hours(day)} and ${sql.raw(bucket)} < ${to}::timestamptz - ${hours(day)}`;
  return rowsOf(
    q,
    sql<DayValueRow>`with days as (select x.day from unnest(${sql.param([0, ...days])}::int[]) x(day)),
answers as materialized (
  select d.day, a.outcome, a.count, a.p95 from days d cross join lateral (
    select m.outcome, sum(m.count)::float8 as count, max(m.latency_p95_ms) as p95 from onceboard.metric_minutes m
    where m.tenant_id = ${tenantId} and ${same("m.bucket")} and m.operation not like 'admin.%' group by m.outcome) a)
select a.day, a.outcome as name, a.count as value from answers a
union all
select a.day, 'first_answer', a.p95 from answers a where a.outcome = 'executed' and a.p95 is not null
union all
select d.day, s.name, s.value from days d cross join lateral (
  select g.name, max(g.value) as value from onceboard.metric_gauges g
  where g.tenant_id = ${tenantId} and g.name = any (${sql.param(gauges)}::text[]) and ${same("g.bucket")} group by g.name) s`,
  );
}

export interface AnswerSourceRow {
  readonly outcome: string;
  readonly operation: string;
  /** Empty: nobody is known. */
  readonly client: string;
  readonly count: number;
  readonly p95?: number | undefined;
  /** The minute of the highest p95. */
  readonly slowest: string;
}

/** Rows of one window that say where its answers come from. */
const SOURCES = 2_000;

export async function selectSources(q: Queryable, tenantId: string, { from, to }: Span): Promise<AnswerSourceRow[]> {
  return rowsOf(
    q,
    sql<AnswerSourceRow>`select m.outcome, m.operation, m.client, sum(m.count)::float8 as count, max(m.latency_p95_ms) as p95,
  ${timeText(sql`(array_agg(m.bucket order by m.latency_p95_ms desc nulls last))[1]`)} as slowest
from onceboard.metric_minutes m
where m.tenant_id = ${tenantId} and m.bucket >= ${from}::timestamptz and m.bucket < ${to}::timestamptz and m.operation not like 'admin.%'
group by 1, 2, 3 order by 4 desc limit ${SOURCES}`,
  );
}

/** Operations that became unknown in a window, each once: what the list of the same time has. */
export async function countBecameUnknown(q: Queryable, tenantId: string, span: Span): Promise<number> {
  const became = answersInTime(tenantId, { became: "unknown", range: "all", ...span }, { callers: true });
  if (became === undefined) return 0;
  const [row] = await rowsOf(q, sql<{ count: number }>`select count(distinct b.id)::int as count from (${became}) b`);
  return row?.count ?? 0;
}

export interface PeakRow {
  readonly name: string;
  readonly at: string;
}

/** When each gauge was highest in a window. */
export async function selectPeaks(
  q: Queryable,
  tenantId: string,
  { from, to }: Span,
  gauges: readonly string[],
): Promise<PeakRow[]> {
  return rowsOf(
    q,
    sql<PeakRow>`select distinct on (g.name) g.name, ${timeText(sql`g.bucket`)} as at from onceboard.metric_gauges g
where g.tenant_id = ${tenantId} and g.name = any (${sql.param(gauges)}::text[]) and g.bucket >= ${from}::timestamptz
  and g.bucket < ${to}::timestamptz order by g.name, g.value desc, g.bucket`,
  );
}
