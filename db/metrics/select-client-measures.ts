import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf } from "@/db/query";
import { CLIENTS_LISTED, type MeasureSum, type RefusalSum } from "@/domain/metrics/client-sums";

/** The names are walked, so that each client's rows are read along their key and no other tenant's or client's. */
export const clientNames = (tenantId: string): SQL => sql`recursive names as (
    (select d.client from onceboard.metric_clients d where d.tenant_id = ${tenantId} order by d.client limit 1)
    union all
    select n.client from names p cross join lateral (
      select d.client from onceboard.metric_clients d where d.tenant_id = ${tenantId} and d.client > p.client order by d.client limit 1) n)`;
const SUMS = sql`m.measure, sum(m.count)::int as count, sum(m.sum) as sum, max(m.sum) as top`;

/** @returns the first names that roll-ups know, one more than are listed where there are more */
export async function selectClientNames(q: Queryable, tenantId: string): Promise<string[]> {
  const names = sql<{ client: string }>`with ${clientNames(tenantId)}
select client from names where client <> '' limit ${CLIENTS_LISTED + 1}`;
  return (await rowsOf(q, names)).map(({ client }) => client);
}

/** Measures of some clients since an hour, from the roll-ups alone: whole days from days, both ends from hours. @param from RFC 3339 */
export async function selectClientMeasures(
  q: Queryable,
  tenantId: string,
  from: string,
  clients: readonly string[],
): Promise<MeasureSum[]> {
  return rowsOf(
    q,
    sql<MeasureSum>`with names as (select unnest(${sql.param(clients)}::text[]) as client),
first as (select (date_trunc('day', ${from}::timestamptz - interval '1 microsecond', 'UTC') at time zone 'utc')::date + 1 as day),
span as materialized (
  select f.day as first, greatest(f.day, (select max(x.day) + 1 from names n cross join lateral (
    select d.day from onceboard.metric_client_days d where d.tenant_id = ${tenantId} and d.client = n.client order by d.day desc limit 1) x)) as last
  from first f)
select n.client, s.measure, s.count, s.sum, s.top from names n cross join span
cross join lateral (
  select m.measure, sum(m.count)::int as count, sum(m.sum) as sum, max(m.top) as top from (
    select d.measure, d.count, d.sum, d.top from onceboard.metric_client_days d
    where d.tenant_id = ${tenantId} and d.client = n.client and d.day >= span.first and d.day < span.last
    union all
    select h.measure, h.count, h.sum, h.sum from onceboard.metric_clients h
    where h.tenant_id = ${tenantId} and h.client = n.client and h.bucket >= ${from} and h.bucket < span.first::timestamp at time zone 'utc'
    union all
    select h.measure, h.count, h.sum, h.sum from onceboard.metric_clients h
    where h.tenant_id = ${tenantId} and h.client = n.client and h.bucket >= span.last::timestamp at time zone 'utc') m
  group by m.measure) s`,
  );
}

/** One client's measures per bar of its charts, counted from the first hour. */
export interface MeasureSlot extends MeasureSum {
  readonly slot: number;
}

export async function selectOneClientMeasures(
  q: Queryable,
  tenantId: string,
  client: string,
  window: { readonly from: string; readonly bucketHours: number },
): Promise<MeasureSlot[]> {
  return rowsOf(
    q,
    sql<MeasureSlot>`select ${client}::text as client, floor(extract(epoch from m.bucket - ${window.from}::timestamptz) / (${window.bucketHours}::int * 3600))::int as slot, ${SUMS}
from onceboard.metric_clients m where m.tenant_id = ${tenantId} and m.client = ${client} and m.bucket >= ${window.from}
group by 2, m.measure`,
  );
}

/** What was turned away at the door, by client, code and bar. @param client all clients without it */
export async function selectRefusals(
  q: Queryable,
  tenantId: string,
  window: { readonly from: string; readonly bucketHours: number },
  client?: string,
): Promise<(RefusalSum & { readonly slot: number })[]> {
  return rowsOf(
    q,
    sql<
      RefusalSum & { readonly slot: number }
    >`select r.client, r.code, floor(extract(epoch from r.bucket - ${window.from}::timestamptz) / (${window.bucketHours}::int * 3600))::int as slot, sum(r.count)::int as count
from onceboard.metric_refusals r
where r.tenant_id = ${tenantId} and r.bucket >= ${window.from} and (${client ?? null}::text is null or r.client = ${client ?? null}) group by 1, 2, 3`,
  );
}

/** @returns what a client was told in the last 60 minutes that are computed; coarser once their hour is over */
export async function selectLastHour(q: Queryable, tenantId: string, client: string): Promise<number> {
  const rows = await rowsOf(
    q,
    sql<{ count: number }>`select coalesce(sum(m.count), 0)::int as count from onceboard.metric_minutes m
where m.tenant_id = ${tenantId} and m.client = ${client} and m.bucket >= now() - interval '1 hour' and m.outcome <> 'unknown_entered' and m.operation not like 'admin.%'`,
  );
  return rows[0]?.count ?? 0;
}
