import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { POSTING_CONSUMERS } from "@/db/kinds/expected";
import { PLACES } from "@/db/messages/select-places";
import { ofRank, outboxRank } from "@/db/outbox/outbox-rank";
import { rowsOf, timeTextOrNull } from "@/db/query";
import type { MessageSide } from "@/domain/messages/side";

/**
 * Newest messages of a window that are looked at for where they came from and who took them, and newest operations for what they wrote.
 * While a window has no more, what moved on an edge is counted. What hangs on them is found by one search of an index for all of their keys:
 * beside a million operations of a month the three reads of a day work 60 ms together.
 */
export const FLOW_LOOKED = 10_000;
/** The same of the last day, and open messages: they only say what feeds what. */
const KNOWN_LOOKED = 2_000;
const OPEN_LOOKED = 2_000;
/** A message that is handled in a window arrived no longer before it than this: what waited longer is not among those looked at. */
const ARRIVED_BEFORE = "10 minutes";
/** Payments or accounts with a dead message that are looked at for what waits behind it. */
const DEAD_LINES = 1_000;

const RANK = outboxRank(sql`m.state`, sql`m.position`);

/** From one time to another, RFC 3339; the end is not in it. */
export interface FlowSpan {
  readonly from: string;
  readonly to: string;
}

/** What is usual: the median of the same time on the days before. */
export interface UsualSpan extends FlowSpan {
  readonly days: number;
  /** Fewer measured days than these say nothing. */
  readonly least: number;
}

export interface FlowRateRow {
  readonly place: string;
  /** Messages published or handled in the time. */
  readonly done: number;
  /** Messages a minute. */
  readonly usual?: number | undefined;
}

const within = (time: SQL, { from, to }: FlowSpan): SQL =>
  sql`${time} >= ${from}::timestamptz and ${time} < ${to}::timestamptz`;

/** Minutes of a window that were rolled up, as the rates of places are; what lies in others is not counted. */
const measuredMinutes = (tenantId: string, span: FlowSpan): SQL =>
  sql`select b.bucket from onceboard.metric_buckets b where b.tenant_id = ${tenantId} and ${within(sql`b.bucket`, span)} and b.computed_at is not null`;

/** Whole minutes of a time that were rolled up. */
export async function selectMeasuredMinutes(q: Queryable, tenantId: string, span: FlowSpan): Promise<number> {
  const [row] = await rowsOf(
    q,
    sql<{ minutes: number }>`select count(*)::int as minutes from (${measuredMinutes(tenantId, span)}) b`,
  );
  return row?.minutes ?? 0;
}

/** What each place did in a time, and what it usually does: from the roll-ups alone, along their key. A day of which less than half was measured is no day. */
export async function selectFlowRates(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  places: readonly string[],
  { span, usual }: { readonly span: FlowSpan; readonly usual: UsualSpan },
): Promise<FlowRateRow[]> {
  if (places.length === 0) return [];
  const done = (from: SQL, to: SQL) =>
    sql`select coalesce(sum(k.succeeded), 0)::int as done from onceboard.metric_messages k
    where k.tenant_id = ${tenantId} and k.side = ${side} and k.place = p.place and k.bucket >= ${from} and k.bucket < ${to}`;
  return rowsOf(
    q,
    sql<FlowRateRow>`with d as (
  select ${usual.from}::timestamptz - make_interval(days => n) as since, ${usual.to}::timestamptz - make_interval(days => n) as until
  from generate_series(1, ${usual.days}::int) n),
w as materialized (
  select d.since, d.until, (select count(*) from onceboard.metric_buckets b
    where b.tenant_id = ${tenantId} and b.bucket >= d.since and b.bucket < d.until and b.computed_at is not null) as minutes
  from d)
select p.place, s.done, u.usual from unnest(${sql.param(places)}::text[]) as p(place)
cross join lateral (${done(sql`${span.from}::timestamptz`, sql`${span.to}::timestamptz`)}) s
cross join lateral (
  select case when count(*) >= ${usual.least}::int then percentile_cont(0.5) within group (order by h.done::float8 / w.minutes) end as usual
  from w cross join lateral (${done(sql`w.since`, sql`w.until`)}) h
  where w.minutes > 0 and w.minutes * 120 >= extract(epoch from w.until - w.since)) u`,
  );
}

/** Mail and merchants' webhooks, which a consumer wrote about an event of another topic, and alerts, which are about no event. */
const ownWay = (topic: SQL): SQL => sql`(${topic} = 'mail' or ${topic} like 'webhook:%' or ${topic} like 'alert:%')`;
const days = (day: SQL, { from, to }: FlowSpan): SQL =>
  sql`${day} between (${from}::timestamptz at time zone 'utc')::date - 1 and (${to}::timestamptz at time zone 'utc')::date`;

export interface SentRow {
  readonly topic: string;
  /** What wrote it, of an event; none: no operation did, or its key was deleted. */
  readonly operation?: string | undefined;
  /** Topic of the event that it tells of, of mail and webhooks. */
  readonly origin?: string | undefined;
  readonly count: number;
}

/** `counted`: only what the roll-ups of the window have too. `known`: of the last day, also what waits or is dead now. */
export type FlowLook = "counted" | "known";

/** As `date_trunc` of a zone does, for a tenth of its time. */
const minuteOf = (time: SQL): SQL => sql`date_bin('1 minute', ${time}, timestamptz 'epoch')`;

const limitOf = (look: FlowLook): SQL => sql.raw(String(look === "known" ? KNOWN_LOOKED : FLOW_LOOKED));

/**
 * Where messages of the outbox came from, among the newest that were published in a time. Their operations are one search of the index for
 * all keys together: their ids follow their times, so neighbours share its pages. What is found is joined in full, which leaves nothing out and
 * adds nothing, for all of it was asked for: so the planner hashes it, however few it expects, and never walks it for each message.
 */
export async function selectSent(q: Queryable, tenantId: string, span: FlowSpan, look: FlowLook): Promise<SentRow[]> {
  const published = sql`(select h.topic, h.type, h.operation_id, ${minuteOf(sql`h.published_at`)} as minute from onceboard.outbox_history h
  where h.tenant_id = ${tenantId} and ${within(sql`h.published_at`, span)} and ${days(sql`h.day`, span)}
    and h.published_by is distinct from 'operator'
  order by h.published_at desc limit ${limitOf(look)})`;
  const waiting = sql`(select m.topic, m.type, m.operation_id, null from onceboard.outbox_messages m
  where m.tenant_id = ${tenantId} and m.state in ('pending', 'dead') limit ${sql.raw(String(OPEN_LOOKED))})`;
  return rowsOf(
    q,
    sql<SentRow>`with k as materialized (
  select n.topic, n.type, n.operation_id, ${ownWay(sql`n.topic`)} as told, ${look === "known" ? sql`true` : sql`n.minute in (${measuredMinutes(tenantId, span)})`} as counted
  from (${look === "known" ? sql`${published} union all ${waiting}` : published}) n),
r as materialized (select q.operation_id, q.operation from onceboard.idempotency_requests q
  where q.tenant_id = ${tenantId} and q.operation_id = any (array(select k.operation_id from k where k.counted and not k.told)))
select f.topic, f.operation, f.origin, count(*)::int as count from (
  select k.topic, r.operation, null as origin
  from (select k.* from k where k.counted and not k.told) k full join r on r.operation_id = k.operation_id
  union all
  select k.topic, null, o.topic from k
  left join lateral (
    select e.topic from onceboard.outbox_history e
    where e.tenant_id = ${tenantId} and e.operation_id = k.operation_id and not ${ownWay(sql`e.topic`)} and ${days(sql`e.day`, span)}
    order by e.type = k.type desc, e.published_at limit 1) o on true
  where k.counted and k.told) f
group by 1, 2, 3`,
  );
}

export interface TakenRow {
  readonly consumer: string;
  readonly source: string;
  /** Of our own events: the topic that brought it. */
  readonly topic?: string | undefined;
  /** Arrived. */
  readonly count: number;
  /** Handled in the time. */
  readonly processed: number;
  /** Entries in the ledger that were posted in the time for operations of those, by the consumer that posts there. */
  readonly entries: number;
}

const UUID_TEXT = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/**
 * Which consumer got what, among the newest arrivals of a time.
 * @param source of our own events
 */
export async function selectTaken(
  q: Queryable,
  tenantId: string,
  span: FlowSpan,
  { source, look }: { readonly source: string; readonly look: FlowLook },
): Promise<TakenRow[]> {
  const from = sql`${span.from}::timestamptz - ${look === "known" ? "0" : ARRIVED_BEFORE}::interval`;
  return rowsOf(
    q,
    sql<TakenRow>`with n as materialized (
  select i.consumer, i.source, i.operation_id, i.received_at >= ${span.from}::timestamptz as arrived,
    i.state = 'processed' and ${within(sql`i.processed_at`, span)} as processed, ${minuteOf(sql`i.processed_at`)} as minute,
    case when i.source = ${source} and i.message_id ~ ${UUID_TEXT} then i.message_id::uuid end as sent_id
  from onceboard.inbox_messages i
  where i.tenant_id = ${tenantId} and i.received_at >= ${from} and i.received_at < ${span.to}::timestamptz
  order by i.received_at desc limit ${limitOf(look)}),
m as (select n.*, n.processed and ${look === "known" ? sql`true` : sql`n.minute in (${measuredMinutes(tenantId, span)})`} as done from n),
p as materialized (select m.*, row_number() over (partition by m.consumer, m.done, m.operation_id) as nth from m),
sent as materialized (select e.id, min(e.topic) as topic from (
    select h.id, h.topic from onceboard.outbox_history h where h.tenant_id = ${tenantId} and h.id = any (array(select n.sent_id from n)) and ${days(sql`h.day`, span)}
    union all
    select o.id, o.topic from onceboard.outbox_messages o where o.tenant_id = ${tenantId} and o.id = any (array(select n.sent_id from n))) e
  group by e.id)
select f.consumer, f.source, f.topic, count(*) filter (where f.arrived)::int as count, count(*) filter (where f.done)::int as processed,
  coalesce(sum(f.entries), 0)::int as entries
from (
  select p.consumer, p.source, p.arrived, p.done, sent.topic, l.entries
  from p
  left join lateral (
    select count(*) as entries from onceboard.entries l
    where p.consumer = any (${POSTING_CONSUMERS}) and p.done and p.nth = 1 and l.tenant_id = ${tenantId} and l.operation_id = p.operation_id
      and ${within(sql`l.posted_at`, span)}) l on true
  full join sent on sent.id = p.sent_id) f
group by 1, 2, 3`,
  );
}

export interface UndrawnRow {
  /** Operations that callers began in the time, the newest `FLOW_LOOKED` of them. */
  readonly looked: number;
  /** Those of them that wrote no message to the outbox, whatever became of one. */
  readonly silent: number;
}

/**
 * Operations of a time that wrote no message: no edge leaves them. As the list of them asks of each, for all of them in one search of each
 * index: what an operation of the window wrote is of no day before it.
 */
export async function selectUndrawn(q: Queryable, tenantId: string, span: FlowSpan): Promise<UndrawnRow> {
  const [row] = await rowsOf(
    q,
    sql<UndrawnRow>`with o as materialized (
  select r.operation_id from onceboard.idempotency_requests r
  where r.tenant_id = ${tenantId} and ${within(sql`r.created_at`, span)} and r.operation not like 'admin.%'
  order by r.created_at desc limit ${sql.raw(String(FLOW_LOOKED))}),
ids as materialized (select array(select o.operation_id from o) as ids)
select count(*)::int as looked, count(*) filter (where o.operation_id not in (
  select h.operation_id from onceboard.outbox_history h where h.tenant_id = ${tenantId} and h.operation_id = any ((select ids from ids)::uuid[])
    and h.day >= (${span.from}::timestamptz at time zone 'utc')::date
  union all
  select m.operation_id from onceboard.outbox_messages m where m.tenant_id = ${tenantId} and m.operation_id = any ((select ids from ids)::uuid[])))::int as silent
from o`,
  );
  return row ?? { looked: 0, silent: 0 };
}

export interface HeldRow {
  readonly topic: string;
  /** Messages that wait behind a dead one of the same payment or account. */
  readonly waiting: number;
  /** Of those, the ones whose dead message is of this topic. */
  readonly here: number;
  /** Payments or accounts. */
  readonly lines: number;
  /** `payment`, where all of them are. */
  readonly what?: string | undefined;
  readonly oldestMs: number;
}

/** What waits behind a dead message, by topic. */
export async function selectHeld(q: Queryable, tenantId: string): Promise<HeldRow[]> {
  return rowsOf(
    q,
    sql<HeldRow>`with d as (
  select m.aggregate_type, m.aggregate_id, min(m.position) as position, (array_agg(m.topic order by m.position))[1] as topic
  from onceboard.outbox_messages m
  where m.tenant_id = ${tenantId} and m.state = 'dead' and ${ofRank("dead", RANK)} group by 1, 2 limit ${sql.raw(String(DEAD_LINES))})
select m.topic, count(*)::int as waiting, count(*) filter (where d.topic = m.topic)::int as here, count(distinct (m.aggregate_type, m.aggregate_id))::int as lines,
  case when min(m.aggregate_type) = max(m.aggregate_type) then min(m.aggregate_type) end as what,
  (extract(epoch from now() - min(m.created_at)) * 1000)::float8 as "oldestMs"
from d join onceboard.outbox_messages m on m.tenant_id = ${tenantId} and m.aggregate_type = d.aggregate_type
  and m.aggregate_id = d.aggregate_id and m.state = 'pending' and m.position > d.position
group by m.topic order by 2 desc limit ${sql.raw(String(PLACES))}`,
  );
}

export interface EndpointStateRow {
  readonly topic: string;
  readonly disabledAt?: string | undefined;
  /** While its circuit is open. */
  readonly openedAt?: string | undefined;
  readonly canaryAt?: string | undefined;
  readonly lastErrorCode?: string | undefined;
}

/** Merchants' endpoints that are disabled or whose circuit is open. */
export async function selectEndpointTrouble(q: Queryable, tenantId: string): Promise<EndpointStateRow[]> {
  return rowsOf(
    q,
    sql<EndpointStateRow>`select 'webhook:' || e.id::text as topic, ${timeTextOrNull(sql`e.disabled_at`)} as "disabledAt",
  ${timeTextOrNull(sql`c.opened_at`)} as "openedAt", ${timeTextOrNull(sql`c.canary_at`)} as "canaryAt",
  case when c.opened_at is not null then c.last_error_code end as "lastErrorCode"
from onceboard.webhook_endpoints e
left join onceboard.topic_circuits c on c.tenant_id = e.tenant_id and c.topic = 'webhook:' || e.id::text and c.opened_at is not null
where e.tenant_id = ${tenantId} and (e.disabled_at is not null or c.opened_at is not null)
order by e.created_at limit ${sql.raw(String(PLACES))}`,
  );
}
