import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { PLACES } from "@/db/messages/select-places";
import { rowsOf, timeTextOrNull } from "@/db/query";
import { LEDGER_CONSUMER } from "@/domain/messages/ledger-events";
import type { MessageSide } from "@/domain/messages/side";

/** Newest messages of a time that are looked at for where they came from and who took them. */
export const FLOW_SAMPLE = 2_000;
/** Open messages that are looked at for the same. */
const OPEN_SAMPLE = 2_000;
/** Payments or accounts with a dead message that are looked at for what waits behind it. */
const DEAD_LINES = 1_000;

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

/** Whole minutes of a time that were rolled up. */
export async function selectMeasuredMinutes(q: Queryable, tenantId: string, span: FlowSpan): Promise<number> {
  const [row] = await rowsOf(
    q,
    sql<{ minutes: number }>`select count(*)::int as minutes from onceboard.metric_buckets b
where b.tenant_id = ${tenantId} and ${within(sql`b.bucket`, span)} and b.computed_at is not null`,
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

/** Mail and merchants' webhooks: a consumer wrote them about an event of another topic. */
const ownWay = (topic: SQL): SQL => sql`(${topic} = 'mail' or ${topic} like 'webhook:%')`;
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

/**
 * Where messages of the outbox came from, among the newest that were published in a time.
 *
 * @param open also of what waits or is dead now, whenever it was written
 */
export async function selectSent(q: Queryable, tenantId: string, span: FlowSpan, open: boolean): Promise<SentRow[]> {
  const published = sql`(select h.topic, h.type, h.operation_id from onceboard.outbox_history h
  where h.tenant_id = ${tenantId} and ${within(sql`h.published_at`, span)} and ${days(sql`h.day`, span)}
    and h.published_by is distinct from 'operator'
  order by h.published_at desc limit ${sql.raw(String(FLOW_SAMPLE))})`;
  const waiting = sql`(select m.topic, m.type, m.operation_id from onceboard.outbox_messages m
  where m.tenant_id = ${tenantId} and m.state in ('pending', 'dead') limit ${sql.raw(String(OPEN_SAMPLE))})`;
  return rowsOf(
    q,
    sql<SentRow>`with n as materialized (${open ? sql`${published} union all ${waiting}` : published})
select f.topic, f.operation, f.origin, count(*)::int as count from (
  select n.topic, r.operation, o.topic as origin from n
  left join lateral (
    select q.operation from onceboard.idempotency_requests q
    where not ${ownWay(sql`n.topic`)} and q.tenant_id = ${tenantId} and q.operation_id = n.operation_id limit 1) r on true
  left join lateral (
    select e.topic from onceboard.outbox_history e
    where ${ownWay(sql`n.topic`)} and e.tenant_id = ${tenantId} and e.operation_id = n.operation_id and not ${ownWay(sql`e.topic`)}
      and ${days(sql`e.day`, span)}
    order by e.type = n.type desc, e.published_at limit 1) o on true) f
group by 1, 2, 3`,
  );
}

export interface TakenRow {
  readonly consumer: string;
  readonly source: string;
  /** Of our own events: the topic that brought it. */
  readonly topic?: string | undefined;
  readonly count: number;
  readonly processed: number;
  /** Of those that were processed by the consumer that posts to the ledger: their operation has an entry there. */
  readonly entries: number;
}

const UUID_TEXT = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** Which consumer got what, among the newest arrivals of a time. @param source of our own events */
export async function selectTaken(q: Queryable, tenantId: string, span: FlowSpan, source: string): Promise<TakenRow[]> {
  return rowsOf(
    q,
    sql<TakenRow>`with n as materialized (
  select i.consumer, i.source, i.state, i.operation_id,
    case when i.source = ${source} and i.message_id ~ ${UUID_TEXT} then i.message_id::uuid end as sent_id
  from onceboard.inbox_messages i
  where i.tenant_id = ${tenantId} and ${within(sql`i.received_at`, span)}
  order by i.received_at desc limit ${sql.raw(String(FLOW_SAMPLE))})
select f.consumer, f.source, f.topic, count(*)::int as count, count(*) filter (where f.state = 'processed')::int as processed,
  count(*) filter (where f.posted)::int as entries
from (
  select n.consumer, n.source, n.state, coalesce(h.topic, m.topic) as topic, p.posted
  from n
  left join lateral (
    select true as posted from onceboard.ledger_entries l
    where n.consumer = ${LEDGER_CONSUMER} and n.state = 'processed' and l.tenant_id = ${tenantId} and l.operation_id = n.operation_id
    limit 1) p on true
  left join onceboard.outbox_messages m on m.tenant_id = ${tenantId} and m.id = n.sent_id
  left join lateral (
    select e.topic from onceboard.outbox_history e where e.tenant_id = ${tenantId} and e.id = n.sent_id and ${days(sql`e.day`, span)}
    limit 1) h on true) f
group by 1, 2, 3`,
  );
}

export interface HeldRow {
  readonly topic: string;
  /** Messages that wait behind a dead one of the same payment or account. */
  readonly waiting: number;
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
  select m.aggregate_type, m.aggregate_id, min(m.position) as position from onceboard.outbox_messages m
  where m.tenant_id = ${tenantId} and m.state = 'dead' group by 1, 2 limit ${sql.raw(String(DEAD_LINES))})
select m.topic, count(*)::int as waiting, count(distinct (m.aggregate_type, m.aggregate_id))::int as lines,
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

/** Whether any message was written to the outbox since a time, whatever became of it. */
export async function selectWritten(q: Queryable, tenantId: string, { from, to }: FlowSpan): Promise<boolean> {
  const [row] = await rowsOf(
    q,
    sql<{ written: boolean }>`select exists (select from onceboard.outbox_messages m
  where m.tenant_id = ${tenantId} and m.created_at >= ${from}::timestamptz and m.created_at < ${to}::timestamptz)
or exists (select from onceboard.outbox_history h where h.tenant_id = ${tenantId} and h.published_at >= ${from}::timestamptz
  and h.day >= (${from}::timestamptz at time zone 'utc')::date and h.created_at >= ${from}::timestamptz and h.created_at < ${to}::timestamptz) as written`,
  );
  return row?.written ?? false;
}
