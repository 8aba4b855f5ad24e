import { sql, type SQL } from "drizzle-orm";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { OUTAGE_CODES } from "@/domain/messages/outage";

/** Topics in which something waits, and consumers of which something failed, that are looked at. */
const PLACES_WALKED = 10_000;
const COUNTED = sql.raw(String(WAITING_COUNTED));

const pendingOf = (tenantId: string): SQL => sql`m.tenant_id = ${tenantId} and m.state = 'pending'`;

/** Topics in which something waits, as a relation: walks from one to the next along the index, however much lies in between. */
export function pendingTopics(tenantId: string): SQL {
  const next = (after: SQL) =>
    sql`(select m.topic from onceboard.outbox_messages m where ${pendingOf(tenantId)} ${after} order by m.topic limit 1)`;
  return sql`with recursive topics as (${next(sql``)}
    union all select n.topic from topics t cross join lateral ${next(sql`and m.topic > t.topic`)} n)
  select topic from topics limit ${sql.raw(String(PLACES_WALKED))}`;
}

/**
 * What waits in each topic, as a relation: the first WAITING_COUNTED of a topic in the order of their next attempts, and as many of those that
 * were tried in vain. With fewer in a topic its numbers are exact, else they are at least that.
 *
 * @param only these topics
 */
export function waitingTopics(tenantId: string, only?: readonly string[]): SQL {
  const pending = pendingOf(tenantId);
  const topics =
    only === undefined
      ? pendingTopics(tenantId)
      : sql`select n.topic from unnest(${sql.param(only)}::text[]) as n(topic)`;
  const first = (more: SQL) =>
    sql`(select m.created_at, m.attempts_finished, m.next_attempt_at, m.last_error_code from onceboard.outbox_messages m
    where ${pending} and m.topic = t.topic ${more} order by m.next_attempt_at limit ${COUNTED}) m`;
  return sql`select t.topic as place, greatest(l.waiting, f.tried) as waiting, f.failing, 0 as alone, least(l.oldest, f.oldest) as oldest,
  f.next_failing_at, f.outage
from (${topics}) t
cross join lateral (select count(*)::int as waiting, min(m.created_at) as oldest from ${first(sql``)}) l
cross join lateral (select count(*)::int as tried, count(*) filter (where m.attempts_finished > 0)::int as failing, min(m.created_at) as oldest,
    min(m.next_attempt_at) filter (where m.attempts_finished > 0) as next_failing_at,
    max(m.last_error_code) filter (where m.last_error_code = any (${sql.param(OUTAGE_CODES)}::text[])) as outage
  from ${first(sql`and (m.attempts_finished > 0 or m.last_error_code is not null)`)}) f
where l.waiting > 0`;
}

/**
 * What waits for each consumer, as a relation: among the first WAITING_COUNTED of each lane of the inbox, and as many of a consumer that were
 * tried in vain. With fewer in the inbox its numbers are exact, else they are at least that, and consumers may be missing.
 */
export function waitingConsumers(tenantId: string): SQL {
  const lane = (alone: SQL) =>
    sql`(select o.consumer, o.alone, o.received_at from onceboard.inbox_open o where o.tenant_id = ${tenantId} and o.alone = ${alone}
  order by o.next_attempt_at limit ${COUNTED})`;
  const failed = sql`o.tenant_id = ${tenantId} and o.attempts_finished > 0`;
  const next = (after: SQL) =>
    sql`(select o.consumer from onceboard.inbox_open o where ${failed} ${after} order by o.consumer limit 1)`;
  return sql`select coalesce(l.consumer, f.consumer) as place, greatest(l.waiting, f.failing) as waiting, coalesce(f.failing, 0) as failing,
  coalesce(l.alone, 0) as alone, least(l.oldest, f.oldest) as oldest, f.next_failing_at, null::text as outage
from (select o.consumer, count(*)::int as waiting, count(*) filter (where o.alone)::int as alone, min(o.received_at) as oldest
  from (${lane(sql`false`)} union all ${lane(sql`true`)}) o group by o.consumer) l
full join (select c.consumer, o.* from (with recursive failing as (${next(sql``)}
    union all select n.consumer from failing c cross join lateral ${next(sql`and o.consumer > c.consumer`)} n)
  select consumer from failing limit ${sql.raw(String(PLACES_WALKED))}) c
  cross join lateral (select count(*)::int as failing, min(o.received_at) as oldest, min(o.next_attempt_at) as next_failing_at
    from (select o.received_at, o.next_attempt_at from onceboard.inbox_open o
      where ${failed} and o.consumer = c.consumer order by o.next_attempt_at limit ${COUNTED}) o) o) f on f.consumer = l.consumer`;
}
