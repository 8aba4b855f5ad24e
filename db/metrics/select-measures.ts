import { and, eq, gte, isNotNull, lt, not, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { anyOf, builder, isConsole, rowsOf, select, slotStart, timeText, unionAllOf } from "@/db/query";
import { metricBuckets, metricHours, metricMinutes, metricSuppressed } from "@/db/schema";
import { clientNames } from "./select-client-measures";
import type { ChartWindow } from "@/domain/metrics/chart-window";
import type { MetricGroup } from "@/domain/lists/filters";

const b = alias(metricBuckets, "b");
const h = alias(metricHours, "h");
const m = alias(metricMinutes, "m");
const x = alias(metricSuppressed, "x");

const HOUR_SECONDS = 3_600;
/** Groups that have a line of their own; the others are one line. */
export const TOP_GROUPS = 5;
/** Clients that are walked for the distance of reuse. */
const CLIENTS = 200;

export interface AnswerRow {
  readonly bucket: string;
  /** None: the rest, or no grouping. */
  readonly name?: string | undefined;
  readonly outcome: string;
  readonly count: number;
  /** The highest p95 of what the bucket is made of: it never flatters. */
  readonly p95?: number | undefined;
  readonly delaySum: number;
  readonly delayCount: number;
}

/** Rows of a tenant's roll-up from one time to another, as text or as an expression. */
function rolledUp(table: Readonly<Record<"tenantId" | "bucket", PgColumn>>, tenantId: string, { from, to }: Span) {
  return and(
    eq(table.tenantId, tenantId),
    gte(table.bucket, sql`${from}::timestamptz`),
    lt(table.bucket, sql`${to}::timestamptz`),
  );
}

interface Span {
  readonly from: string | SQL;
  readonly to: string | SQL;
}

/** What a chart is read from: minutes, or hours as far as there are whole ones where its buckets are that wide, and minutes behind them. */
function partsOf({ from, to, bucketSeconds }: ChartWindow, hoursUntil: string | undefined) {
  if (bucketSeconds < HOUR_SECONDS || hoursUntil === undefined) return [{ unit: "minute", from, to }] as const;
  return [
    { unit: "hour", from, to: sql`least(${to}::timestamptz, ${hoursUntil}::timestamptz)` },
    { unit: "minute", from: sql`greatest(${from}::timestamptz, ${hoursUntil}::timestamptz)`, to },
  ] as const;
}

/** Answers per bucket, outcome and group, from minutes, or from hours where a bucket is that wide. Console actions are left out. */
export async function selectAnswers(
  q: Queryable,
  tenantId: string,
  window: ChartWindow,
  { group, hoursUntil }: { readonly group?: MetricGroup | undefined; readonly hoursUntil?: string | undefined },
): Promise<AnswerRow[]> {
  const rolled = partsOf(window, hoursUntil).map((part) => {
    const of = part.unit === "hour" ? h : m;
    return builder
      .select({
        slot: slotStart(of.bucket, window.bucketSeconds).as("slot"),
        name: sql`${group === undefined ? sql`null::text` : of[group]}`.as("name"),
        ...{ outcome: of.outcome, count: of.count, p95: of.latencyP95Ms },
        ...{ delaySum: of.delaySumMs, delayCount: of.delayCount },
      })
      .from(of)
      .where(and(rolledUp(of, tenantId, part), not(isConsole(of.operation))));
  });
  // What is added up is read twice, for the rows and for the groups that lead: names of these steps, not of columns, so they are text.
  return rowsOf(
    q,
    sql<AnswerRow>`with answered as (
  select p.slot, p.name, p.outcome, sum(p.count) as count, max(p.latency_p95_ms) as p95,
    coalesce(sum(p.delay_sum_ms), 0) as delay_sum, sum(p.delay_count) as delay_count
  from (${unionAllOf(...rolled)}) p group by 1, 2, 3),
top as (select a.name from answered a where a.name is not null group by a.name order by sum(a.count) desc, a.name limit ${TOP_GROUPS})
select ${timeText(sql`a.slot`)} as bucket, top.name, a.outcome, sum(a.count)::float8 as count, max(a.p95) as p95, sum(a.delay_sum)::float8 as delay_sum,
  sum(a.delay_count)::float8 as delay_count
from answered a left join top on top.name = a.name
group by 1, 2, 3`,
  );
}

/**
 * Buckets of which at least a part was rolled up: in the others nothing is known, which is not the same as nothing. Each bucket is asked for
 * one minute or hour: a month has 43,000 minutes.
 */
export async function selectMeasured(q: Queryable, tenantId: string, window: ChartWindow): Promise<string[]> {
  const { from, to, bucketSeconds } = window;
  const width = sql`make_interval(secs => ${bucketSeconds})`;
  const within: Span = {
    from: sql`greatest(s.slot, ${from}::timestamptz)`,
    to: sql`least(s.slot + ${width}, ${to}::timestamptz)`,
  };
  const minute = select({ one: sql`1` })
    .from(b)
    .where(and(rolledUp(b, tenantId, within), isNotNull(b.computedAt)));
  const hour = select({ one: sql`1` })
    .from(h)
    .where(rolledUp(h, tenantId, within));
  const rows = await rowsOf(
    q,
    sql<{ bucket: string }>`select ${timeText(sql`s.slot`)} as bucket
from generate_series(${slotStart(sql`${from}::timestamptz`, bucketSeconds)}, ${to}::timestamptz - interval '1 microsecond', ${width}) as s(slot)
where exists (${minute}) or exists (${hour})`,
  );
  return rows.map((row) => row.bucket);
}

export interface GaugeSample {
  readonly bucket: string;
  readonly name: string;
  readonly value: number;
}

/**
 * Highest sample per bucket, in the gauge's own unit. Each gauge is a stretch of the key of its own, and grouped by time alone: a third of
 * the time that grouping by both takes. In text: drizzle has no lateral join of a function.
 */
export async function selectGaugeSamples(
  q: Queryable,
  tenantId: string,
  window: ChartWindow,
  names: readonly string[],
): Promise<GaugeSample[]> {
  return rowsOf(
    q,
    sql<GaugeSample>`select ${timeText(sql`s.slot`)} as bucket, n.name, s.value
from unnest(${sql.param(names)}::text[]) n(name) cross join lateral (
  select ${slotStart(sql`g.bucket`, window.bucketSeconds)} as slot, max(g.value) as value from onceboard.metric_gauges g
  where g.tenant_id = ${tenantId} and g.name = n.name and g.bucket >= ${window.from}::timestamptz and g.bucket < ${window.to}::timestamptz
  group by 1) s`,
  );
}

export interface DistanceRow {
  readonly bucket: string;
  readonly count: number;
  readonly sum: number;
}

/**
 * How long after the first request of its key a repeat came, all clients together; each client is read along its index. In text:
 * drizzle has no recursion.
 */
export async function selectReuseDistance(q: Queryable, tenantId: string, window: ChartWindow): Promise<DistanceRow[]> {
  return rowsOf(
    q,
    sql<DistanceRow>`with ${clientNames(tenantId)}
select ${timeText(sql`s.slot`)} as bucket, s.count, s.sum from (
  select ${slotStart(sql`m.bucket`, window.bucketSeconds)} as slot, sum(m.count)::float8 as count, sum(m.sum) as sum
  from (select client from names limit ${CLIENTS}) n cross join lateral (
    select c.bucket, c.count, c.sum from onceboard.metric_clients c
    where c.tenant_id = ${tenantId} and c.client = n.client and c.bucket >= ${window.from} and c.bucket < ${window.to} and c.measure = 'again') m
  group by 1) s`,
  );
}

export interface SuppressedRow {
  readonly bucket: string;
  /** None: the rest, or no grouping. */
  readonly name?: string | undefined;
  readonly currency: string;
  readonly count: number;
  /** Minor units. */
  readonly sumMinor: string;
}

/** Of which groups there are sums of their own; all others are one. */
export interface SuppressedGroups {
  /** Names of operations that charge: what replays of others would have moved is no charge. */
  readonly charges: readonly string[];
  readonly group?: MetricGroup | undefined;
  readonly names: readonly string[];
  readonly hoursUntil?: string | undefined;
}

/** What replays of charges would have cost, per bucket, group and currency, from minutes, or from hours where a bucket is that wide. */
export async function selectSuppressed(
  q: Queryable,
  tenantId: string,
  window: ChartWindow,
  { charges, group, names, hoursUntil }: SuppressedGroups,
): Promise<SuppressedRow[]> {
  const named = x[group ?? "client"];
  const rolled = partsOf(window, hoursUntil).map((part) =>
    builder
      .select({
        slot: slotStart(x.bucket, window.bucketSeconds).as("slot"),
        name: sql`case when ${anyOf(named, group === undefined ? [] : names)} then ${named} end`.as("name"),
        ...{ currency: x.currency, count: x.count, sumMinor: x.sumMinor },
      })
      .from(x)
      .where(and(rolledUp(x, tenantId, part), eq(x.unit, part.unit), anyOf(x.operation, charges))),
  );
  return rowsOf(
    q,
    sql<SuppressedRow>`select ${timeText(sql`s.slot`)} as bucket, s.name, s.currency, s.count, s.sum_minor from (
  select p.slot, p.name, p.currency, sum(p.count)::int as count, sum(p.sum_minor)::text as sum_minor
  from (${unionAllOf(...rolled)}) p group by 1, 2, 3) s`,
  );
}
