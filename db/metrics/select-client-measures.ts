import type { Queryable } from "@/db/client";
import { textRows } from "@/db/query";
import type { MeasureSum, RefusalSum } from "@/domain/metrics/client-sums";

/** Clients that a list shows at the most. */
export const CLIENTS_LISTED = 200;

/** The names are walked, so that each client's rows are read along their key and no other tenant's or client's. */
const NAMES = `recursive names as (
    (select d.client from onceboard.metric_clients d where d.tenant_id = $1 order by d.client limit 1)
    union all
    select n.client from names p cross join lateral (
      select d.client from onceboard.metric_clients d where d.tenant_id = $1 and d.client > p.client order by d.client limit 1) n)`;
const SUMS = `m.measure, sum(m.count)::int as count, sum(m.sum) as sum, max(m.sum) as top`;

/** All clients' measures since an hour, from the roll-ups alone: whole days from days, both ends from hours. @param from RFC 3339 */
export async function selectClientMeasures(q: Queryable, tenantId: string, from: string): Promise<MeasureSum[]> {
  return textRows<MeasureSum>(
    q,
    `with ${NAMES},
first as (select (date_trunc('day', $2::timestamptz - interval '1 microsecond', 'UTC') at time zone 'utc')::date + 1 as day),
span as materialized (
  select f.day as first, greatest(f.day, (select max(x.day) + 1 from names n cross join lateral (
    select d.day from onceboard.metric_client_days d where d.tenant_id = $1 and d.client = n.client order by d.day desc limit 1) x)) as last
  from first f)
select n.client, s.measure, s.count, s.sum, s.top from (select client from names where client <> '' limit $3) n cross join span
cross join lateral (
  select m.measure, sum(m.count)::int as count, sum(m.sum) as sum, max(m.top) as top from (
    select d.measure, d.count, d.sum, d.top from onceboard.metric_client_days d
    where d.tenant_id = $1 and d.client = n.client and d.day >= span.first and d.day < span.last
    union all
    select h.measure, h.count, h.sum, h.sum from onceboard.metric_clients h
    where h.tenant_id = $1 and h.client = n.client and h.bucket >= $2 and h.bucket < span.first::timestamp at time zone 'utc'
    union all
    select h.measure, h.count, h.sum, h.sum from onceboard.metric_clients h
    where h.tenant_id = $1 and h.client = n.client and h.bucket >= span.last::timestamp at time zone 'utc') m
  group by m.measure) s`,
    [tenantId, from, CLIENTS_LISTED],
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
  return textRows<MeasureSlot>(
    q,
    `select $2::text as client, floor(extract(epoch from m.bucket - $3::timestamptz) / ($4::int * 3600))::int as slot, ${SUMS}
from onceboard.metric_clients m where m.tenant_id = $1 and m.client = $2 and m.bucket >= $3
group by 2, m.measure`,
    [tenantId, client, window.from, window.bucketHours],
  );
}

/** What was turned away at the door, by client, code and bar. @param client all clients without it */
export async function selectRefusals(
  q: Queryable,
  tenantId: string,
  window: { readonly from: string; readonly bucketHours: number },
  client?: string,
): Promise<(RefusalSum & { readonly slot: number })[]> {
  return textRows<RefusalSum & { readonly slot: number }>(
    q,
    `select r.client, r.code, floor(extract(epoch from r.bucket - $2::timestamptz) / ($3::int * 3600))::int as slot, sum(r.count)::int as count
from onceboard.metric_refusals r
where r.tenant_id = $1 and r.bucket >= $2 and ($4::text is null or r.client = $4) group by 1, 2, 3`,
    [tenantId, window.from, window.bucketHours, client ?? null],
  );
}

/** @returns what a client was told in the last 60 minutes that are computed; coarser once their hour is over */
export async function selectLastHour(q: Queryable, tenantId: string, client: string): Promise<number> {
  const rows = await textRows<{ count: number }>(
    q,
    `select coalesce(sum(m.count), 0)::int as count from onceboard.metric_minutes m
where m.tenant_id = $1 and m.client = $2 and m.bucket >= now() - interval '1 hour' and m.outcome <> 'unknown_entered' and m.operation not like 'admin.%'`,
    [tenantId, client],
  );
  return rows[0]?.count ?? 0;
}
