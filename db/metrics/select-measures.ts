import type { Queryable } from "@/db/client";
import { textRows } from "@/db/query";
import type { ChartWindow } from "@/domain/metrics/chart-window";
import { isConsoleAction, iso, slotOf } from "../sql-text";
import type { MetricGroup } from "@/domain/lists/filters";

/** Start of the bucket that a minute or hour falls into; whole hours begin at whole hours of UTC. */
const SLOT = slotOf("m.bucket", "$4");
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

/** Answers per bucket, outcome and group, from minutes, or from hours where a bucket is that wide. Console actions are left out. */
export async function selectAnswers(
  q: Queryable,
  tenantId: string,
  window: ChartWindow,
  { group, hoursUntil }: { readonly group?: MetricGroup | undefined; readonly hoursUntil?: string | undefined },
): Promise<AnswerRow[]> {
  const name = group === undefined ? "null::text" : `m.${group}`;
  const columns =
    "m.bucket, m.operation, m.client, m.outcome, m.count, m.latency_p95_ms, m.delay_sum_ms, m.delay_count";
  const wide = window.bucketSeconds >= HOUR_SECONDS && hoursUntil !== undefined;
  const source = (table: string, from: string, to: string): string =>
    `select ${columns} from onceboard.${table} m where m.tenant_id = $1 and m.bucket >= ${from} and m.bucket < ${to} and not (${isConsoleAction("m.operation")})`;
  const rolled = wide
    ? `${source("metric_hours", "$2", "least($3, $6::timestamptz)")} union all ${source("metric_minutes", "greatest($2, $6::timestamptz)", "$3")}`
    : source("metric_minutes", "$2", "$3");
  return textRows<AnswerRow>(
    q,
    `with told as (
  select ${SLOT} as slot, ${name} as name, m.outcome, sum(m.count) as count, max(m.latency_p95_ms) as p95,
    coalesce(sum(m.delay_sum_ms), 0) as delay_sum, sum(m.delay_count) as delay_count
  from (${rolled}) m group by 1, 2, 3),
top as (select t.name from told t where t.name is not null group by t.name order by sum(t.count) desc, t.name limit $5)
select ${iso("t.slot")} as bucket, top.name, t.outcome, sum(t.count)::float8 as count, max(t.p95) as p95, sum(t.delay_sum)::float8 as delay_sum,
  sum(t.delay_count)::float8 as delay_count
from told t left join top on top.name = t.name
group by 1, 2, 3`,
    [tenantId, window.from, window.to, window.bucketSeconds, TOP_GROUPS, ...(wide ? [hoursUntil] : [])],
  );
}

/** Buckets of which at least a part was rolled up: in the others nothing is known, which is not the same as nothing. */
export async function selectMeasured(q: Queryable, tenantId: string, window: ChartWindow): Promise<string[]> {
  const rows = await textRows<{ bucket: string }>(
    q,
    `select ${iso("s.slot")} as bucket from (
  select ${SLOT} as slot from onceboard.metric_buckets m
  where m.tenant_id = $1 and m.bucket >= $2 and m.bucket < $3 and m.computed_at is not null
  union select ${SLOT} from onceboard.metric_hours m where m.tenant_id = $1 and m.bucket >= $2 and m.bucket < $3) s`,
    [tenantId, window.from, window.to, window.bucketSeconds],
  );
  return rows.map((row) => row.bucket);
}

export interface GaugeSample {
  readonly bucket: string;
  readonly name: string;
  readonly value: number;
}

/** Highest sample per bucket, in the gauge's own unit. */
export async function selectGaugeSamples(
  q: Queryable,
  tenantId: string,
  window: ChartWindow,
  names: readonly string[],
): Promise<GaugeSample[]> {
  return textRows<GaugeSample>(
    q,
    `select ${iso("s.slot")} as bucket, s.name, s.value from (
  select ${SLOT} as slot, m.name, max(m.value) as value from onceboard.metric_gauges m
  where m.tenant_id = $1 and m.name = any($5::text[]) and m.bucket >= $2 and m.bucket < $3
  group by 1, 2) s`,
    [tenantId, window.from, window.to, window.bucketSeconds, names],
  );
}

export interface DistanceRow {
  readonly bucket: string;
  readonly count: number;
  readonly sum: number;
}

/** How long after the first request of its key a repeat came, all clients together; each client is read along its index. */
export async function selectReuseDistance(q: Queryable, tenantId: string, window: ChartWindow): Promise<DistanceRow[]> {
  return textRows<DistanceRow>(
    q,
    `with recursive names as (
  (select d.client from onceboard.metric_clients d where d.tenant_id = $1 order by d.client limit 1)
  union all
  select n.client from names p cross join lateral (
    select d.client from onceboard.metric_clients d where d.tenant_id = $1 and d.client > p.client order by d.client limit 1) n)
select ${iso("s.slot")} as bucket, s.count, s.sum from (
  select ${SLOT} as slot, sum(m.count)::float8 as count, sum(m.sum) as sum
  from (select client from names limit $5) n cross join lateral (
    select c.bucket, c.count, c.sum from onceboard.metric_clients c
    where c.tenant_id = $1 and c.client = n.client and c.bucket >= $2 and c.bucket < $3 and c.measure = 'again') m
  group by 1) s`,
    [tenantId, window.from, window.to, window.bucketSeconds, CLIENTS],
  );
}

/** Operations that charge: what replays of others would have moved is no charge. */
const CHARGES = "'payments.create'";

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
  readonly group?: MetricGroup | undefined;
  readonly names: readonly string[];
  readonly hoursUntil?: string | undefined;
}

/**
 * What replays of charges would have cost, per bucket, group and currency, from minutes, or from hours where a bucket is that wide.
 */
export async function selectSuppressed(
  q: Queryable,
  tenantId: string,
  window: ChartWindow,
  { group, names, hoursUntil }: SuppressedGroups,
): Promise<SuppressedRow[]> {
  const wide = window.bucketSeconds >= HOUR_SECONDS && hoursUntil !== undefined;
  const name = `case when m.${group ?? "client"} = any($5::text[]) then m.${group ?? "client"} end`;
  const source = (unit: string, from: string, to: string): string =>
    `select m.bucket, m.operation, m.client, m.currency, m.count, m.sum_minor from onceboard.metric_suppressed m
where m.tenant_id = $1 and m.unit = '${unit}' and m.bucket >= ${from} and m.bucket < ${to} and m.operation in (${CHARGES})`;
  const rolled = wide
    ? `${source("hour", "$2", "least($3, $6::timestamptz)")} union all ${source("minute", "greatest($2, $6::timestamptz)", "$3")}`
    : source("minute", "$2", "$3");
  return textRows<SuppressedRow>(
    q,
    `select ${iso("s.slot")} as bucket, s.name, s.currency, s.count, s.sum_minor from (
  select ${SLOT} as slot, ${name} as name, m.currency, sum(m.count)::int as count, sum(m.sum_minor)::text as sum_minor
  from (${rolled}) m group by 1, 2, 3) s`,
    [
      tenantId,
      window.from,
      window.to,
      window.bucketSeconds,
      group === undefined ? [] : names,
      ...(wide ? [hoursUntil] : []),
    ],
  );
}
