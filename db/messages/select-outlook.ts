import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf, timeText, timeTextOrNull } from "@/db/query";
import { endpointState } from "./endpoint-state";
import type { EndpointState } from "@/domain/messages/requeue-verdict";
import type { MessageSide } from "@/domain/messages/side";

/** The attempt before the last one of a message is looked for among so many days: its schedule is shorter. */
const SCHEDULE_DAYS = 4;
/** Successes that are in no closed minute yet, looked at per tenant. */
const TAIL_ROWS = 10_000;
/** Newest failed attempts of a tenant that are looked at. */
const FAILURES = 5_000;

export interface DeathRow {
  /** Of the outbox or inbox row. */
  readonly id: string;
  readonly place: string;
  readonly errorCode: string;
  readonly deadAt: string;
  readonly diedBefore: number;
  readonly succeededBetween: boolean;
}

/** When the newest minute was rolled up: what succeeded before it is in the minutes, what came later only in the rows. */
const countedUntil = (tenantId: string): SQL => sql`coalesce((
  select b.bucket + interval '1 minute' from onceboard.metric_buckets b
  where b.tenant_id = ${tenantId} and b.computed_at is not null order by b.bucket desc limit 1), '-infinity'::timestamptz)`;

/** A success of the place of `l` between two times. The minutes that lie in between say it, and the rows of what is in no minute yet. */
function betweenOf(side: MessageSide, tenantId: string): SQL {
  if (side === "inbox")
    return sql`exists (select 1 from onceboard.inbox_batches b where b.tenant_id = ${tenantId} and b.consumer = l.place
      and b.processed_at > before.ended_at and b.processed_at < l.dead_at)`;
  return sql`(exists (select 1 from onceboard.metric_messages k where k.tenant_id = ${tenantId} and k.side = 'outbox' and k.place = l.place
      and k.bucket >= before.ended_at and k.bucket <= l.dead_at - interval '1 minute' and k.succeeded > 0)
    or exists (select 1 from onceboard.outbox_history h where h.tenant_id = ${tenantId} and h.topic = l.place
      and h.published_by is distinct from 'operator'
      and h.day between (before.ended_at at time zone 'utc')::date and (l.dead_at at time zone 'utc')::date
      and h.published_at > greatest(before.ended_at, c.until) and h.published_at < l.dead_at))`;
}

/** The open deaths of messages: what of, when, and whether others got through meanwhile. One statement for all of these ids. */
export async function selectDeaths(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  ids: readonly string[],
): Promise<DeathRow[]> {
  if (ids.length === 0) return [];
  return rowsOf(
    q,
    sql<DeathRow>`with c as materialized (select ${countedUntil(tenantId)} as until),
l as materialized (
  select d.message_row_id as id, d.place, d.error_code, d.error_fingerprint, d.dead_at from onceboard.dead_letters d
  where d.tenant_id = ${tenantId} and d.side = ${side} and d.message_row_id = any (${sql.param(ids)}::uuid[]) and d.settled_at is null)
select l.id, l.place, l.error_code as "errorCode", ${timeText(sql`l.dead_at`)} as "deadAt",
  (select count(*)::int from onceboard.dead_letters e where e.tenant_id = ${tenantId} and e.message_row_id = l.id and e.side = ${side}
    and e.settlement = 'requeued' and e.error_fingerprint = l.error_fingerprint) as "diedBefore",
  coalesce(before.ended_at is not null and ${betweenOf(side, tenantId)}, false) as "succeededBetween"
from l cross join c
left join lateral (
  select a.ended_at from onceboard.message_attempts a
  where a.tenant_id = ${tenantId} and a.message_row_id = l.id and a.side = ${side} and a.ended_at < l.dead_at
    and a.day between (l.dead_at at time zone 'utc')::date - ${sql.raw(String(SCHEDULE_DAYS))} and (l.dead_at at time zone 'utc')::date
  order by a.ended_at desc limit 1) before on true`,
    `deaths_${side}`,
  );
}

export interface PlaceOutcomeRow {
  readonly place: string;
  /** The newest success that is known. */
  readonly succeededAt?: string | undefined;
  /** Whether none was left out. */
  readonly counted: boolean;
  readonly failedAt?: string | undefined;
  /** None of an attempt that was lost. */
  readonly failedCode?: string | undefined;
  readonly paused: boolean;
  /** None where the topic leads to no merchant's endpoint. */
  readonly endpoint?: EndpointState | undefined;
  readonly changedAt?: string | undefined;
  readonly changedAction?: string | undefined;
}

/** As one value, so that the index begins there: joined, it would be compared row by row. */
const UNTIL = sql`(select c.until from c)`;

/** Successes that are in no closed minute yet, by place. */
function tailOf(side: MessageSide, tenantId: string): SQL {
  return side === "outbox"
    ? sql`select h.topic as place, h.published_at as at, h.published_by is not distinct from 'operator' as closed from onceboard.outbox_history h
        where h.tenant_id = ${tenantId} and h.published_at >= ${UNTIL} and h.day >= (greatest(${UNTIL}, '2000-01-01') at time zone 'utc')::date
        order by h.published_at desc limit ${sql.raw(String(TAIL_ROWS))}`
    : sql`select b.consumer as place, b.processed_at as at, false as closed from onceboard.inbox_batches b
        where b.tenant_id = ${tenantId} and b.processed_at >= ${UNTIL} order by b.processed_at desc limit ${sql.raw(String(TAIL_ROWS))}`;
}

/** The last success in a closed minute `k`, to the microsecond. */
function lastIn(side: MessageSide, tenantId: string): SQL {
  return side === "outbox"
    ? sql`select max(h.published_at) from onceboard.outbox_history h where h.tenant_id = ${tenantId} and h.topic = p.place
        and h.published_by is distinct from 'operator' and h.day = (k.bucket at time zone 'utc')::date
        and h.published_at >= k.bucket and h.published_at < k.bucket + interval '1 minute'`
    : sql`select max(b.processed_at) from onceboard.inbox_batches b where b.tenant_id = ${tenantId} and b.consumer = p.place
        and b.processed_at >= k.bucket and b.processed_at < k.bucket + interval '1 minute'`;
}

/** How places did of late, and what people did about them. One statement for all of these places. */
export async function selectPlaceOutcomes(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  places: readonly string[],
): Promise<PlaceOutcomeRow[]> {
  if (places.length === 0) return [];
  const minute = (counted: SQL) => sql`select k.bucket from onceboard.metric_messages k
    where k.tenant_id = ${tenantId} and k.side = ${side} and k.place = p.place and ${counted} order by k.bucket desc limit 1`;
  return rowsOf(
    q,
    sql<PlaceOutcomeRow>`with c as materialized (select ${countedUntil(tenantId)} as until),
tail as materialized (${tailOf(side, tenantId)})
select p.place, ${timeTextOrNull(sql`greatest(ok.at, recent.at)`)} as "succeededAt", (select count(*) from tail) < ${TAIL_ROWS} as counted,
  ${timeTextOrNull(sql`fail.ended_at`)} as "failedAt", fail.error_code as "failedCode", t.paused_at is not null as paused,
  ${endpointState(sql`p.place`, sql`e`)} as endpoint,
  ${timeTextOrNull(sql`changed.at`)} as "changedAt", changed.action as "changedAction"
from unnest(${sql.param(places)}::text[]) as p(place) cross join c
left join lateral (select coalesce((${lastIn(side, tenantId)}), k.bucket) as at from (${minute(sql`k.succeeded > 0`)}) k) ok on true
left join lateral (select max(tail.at) as at from tail where tail.place = p.place and not tail.closed) recent on true
left join lateral (
  select x.* from (
    (select a.ended_at, a.error_code from onceboard.message_attempts a
     where a.tenant_id = ${tenantId} and a.side = ${side} and a.place = p.place and a.ended_at >= c.until
       and a.day >= (greatest(c.until, '2000-01-01') at time zone 'utc')::date
     order by a.ended_at desc limit 1)
    union all
    (select a.ended_at, a.error_code from (${minute(sql`k.failed + k.dead > 0`)}) k
     join onceboard.message_attempts a on a.tenant_id = ${tenantId} and a.side = ${side} and a.place = p.place
       and a.day = (k.bucket at time zone 'utc')::date and a.ended_at >= k.bucket and a.ended_at < k.bucket + interval '1 minute'
     order by a.ended_at desc limit 1)) x
  order by x.ended_at desc limit 1) fail on true
left join onceboard.topics t on ${side} = 'outbox' and t.tenant_id = ${tenantId} and t.topic = p.place
left join onceboard.webhook_endpoints e on e.tenant_id = ${tenantId} and 'webhook:' || e.id::text = p.place
left join lateral (
  select a.at, a.action from onceboard.audit_entries a
  where ${side} = 'outbox' and a.tenant_id = ${tenantId}
    and a.subject_type = case when p.place like 'webhook:%' then 'webhook_endpoint' else 'topic' end
    and a.subject_id = case when p.place like 'webhook:%' then substr(p.place, 9) else p.place end
    and a.action in ('webhook_endpoints.enable', 'webhook_endpoints.rotate_secret', 'topics.route')
    and coalesce(a.after ->> 'changed', 'true') = 'true'
  order by a.at desc limit 1) changed on true`,
    `place_outcomes_${side}`,
  );
}

export interface FailureRow {
  readonly place: string;
  readonly id: string;
  readonly at: string;
  readonly code?: string | undefined;
}

/** Of each place the two messages whose attempt failed last, with that attempt: of a dead message one of them is another one. */
export async function selectRecentFailures(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  places: readonly string[],
  minutes: number,
): Promise<FailureRow[]> {
  if (places.length === 0) return [];
  return rowsOf(
    q,
    sql<FailureRow>`select r.place, r.id, ${timeText(sql`r.ended_at`)} as at, r.error_code as code
from (
  select m.*, row_number() over (partition by m.place order by m.ended_at desc) as rank from (
    select distinct on (f.place, f.id) f.* from (
      select a.place, a.message_row_id as id, a.ended_at, a.error_code from onceboard.message_attempts a
      where a.tenant_id = ${tenantId} and a.side = ${side} and a.place = any (${sql.param(places)}::text[])
        and a.ended_at > now() - make_interval(mins => ${minutes}) and a.day >= ((now() - make_interval(mins => ${minutes})) at time zone 'utc')::date
      order by a.ended_at desc limit ${sql.raw(String(FAILURES))}) f
    order by f.place, f.id, f.ended_at desc) m) r
where r.rank <= 2`,
    `recent_failures_${side}`,
  );
}
