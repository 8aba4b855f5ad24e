import { and, desc, eq, isNotNull, isNull, ne, notLike, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { POSTED_EVENTS, POSTING_CONSUMERS } from "@/db/kinds/expected";
import { builder, COUNT, rowsOf, select } from "@/db/query";
import { deadLetters, inboxMessages, outboxMessages, topics } from "@/db/schema";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import type { MessageSide } from "@/domain/messages/side";
import { pendingTopics, waitingConsumers, waitingTopics } from "./waiting-look";

const m = alias(outboxMessages, "m");
const i = alias(inboxMessages, "i");
const l = alias(deadLetters, "l");
const t = alias(topics, "t");

export interface LatePlaceRow {
  readonly side: MessageSide;
  readonly place: string;
  readonly waiting: number;
  readonly oldestMs: number;
  /** Places of this side where a message is late. */
  readonly late: number;
  readonly paused: boolean;
  readonly disabled: boolean;
}

/**
 * Topics and consumers whose oldest waiting message is older than `lateMs`, the oldest first, as far as what waits is counted
 * ({@link waitingTopics}, {@link waitingConsumers}).
 *
 * @param limit places of each side; `late` says how many there are of it
 */
export async function selectLatePlaces(
  q: Queryable,
  tenantId: string,
  lateMs: number,
  limit: number,
): Promise<LatePlaceRow[]> {
  const late = (side: MessageSide, waiting: SQL) =>
    sql`(select ${side}::text as side, w.place, w.waiting, w.oldest, count(*) over ()::int as late from (${waiting}) w
  where w.oldest < now() - make_interval(secs => ${lateMs / 1_000}) order by w.oldest limit ${limit})`;
  return rowsOf(
    q,
    sql<LatePlaceRow>`select p.side, p.place, p.waiting, (extract(epoch from now() - p.oldest) * 1000)::float8 as oldest_ms, p.late,
  t.paused_at is not null as paused, e.disabled_at is not null as disabled
from (${late("outbox", waitingTopics(tenantId))} union all ${late("inbox", waitingConsumers(tenantId))}) p
left join onceboard.topics t on p.side = 'outbox' and t.tenant_id = ${tenantId} and t.topic = p.place
left join onceboard.webhook_endpoints e on p.side = 'outbox' and e.tenant_id = ${tenantId} and 'webhook:' || e.id::text = p.place
order by p.oldest`,
  );
}

/** Messages for the ledger that are counted, of each kind: with as many or more it is "1,000+". */
export const LEDGER_COUNTED = 1_000;

const FOR_LEDGER = (type: PgColumn) => sql`${type} = any (${POSTED_EVENTS})`;

/** A message of the outbox that our own inbox gets, and that the ledger's consumer does not have yet. */
function notWithLedger(tenantId: string, topic: PgColumn, id: PgColumn, source: string): SQL | undefined {
  const elsewhere = builder
    .select({ one: sql`1` })
    .from(t)
    .where(and(eq(t.tenantId, tenantId), eq(t.topic, topic), isNotNull(t.destination)));
  const held = builder
    .select({ one: sql`1` })
    .from(i)
    .where(
      and(
        eq(i.tenantId, tenantId),
        sql`${i.messageId} = ${id}::text`,
        eq(i.source, source),
        sql`${i.consumer} = any (${POSTING_CONSUMERS})`,
      ),
    )
    .limit(1);
  // Not as `not exists`: that may be answered by reading everything the inbox ever got, and this is a probe per message.
  return and(notLike(topic, "webhook:%"), ne(topic, "mail"), sql`not exists ${elsewhere}`, sql`(${held}) is null`);
}

/**
 * What the ledger's consumer needs and does not have: messages on their way to it, what it has recorded and not handled, and what died
 * before it. At most LEDGER_COUNTED of each, the first among the first WAITING_COUNTED of a topic, the second of a lane of the inbox.
 *
 * @param source of our own events
 */
export async function selectLedgerBacklog(q: Queryable, tenantId: string, source: string) {
  const first = sql.raw(`limit ${String(WAITING_COUNTED)}`);
  const coming = sql`(select m.created_at as since from (${pendingTopics(tenantId)}) p cross join lateral (
    select m.* from onceboard.outbox_messages m
    where m.tenant_id = ${tenantId} and m.state = 'pending' and m.topic = p.topic order by m.next_attempt_at ${first}) m
  where ${FOR_LEDGER(m.type)} and ${notWithLedger(tenantId, m.topic, m.id, source)} limit ${LEDGER_COUNTED})`;
  const lane = (alone: SQL) => sql`(select o.* from onceboard.inbox_open o
    where o.tenant_id = ${tenantId} and o.alone = ${alone} order by o.next_attempt_at ${first})`;
  const recorded = sql`(select o.received_at as since from (${lane(sql`false`)} union all ${lane(sql`true`)}) o
  join onceboard.inbox_messages i on i.tenant_id = ${tenantId} and i.id = o.id
  where o.consumer = any (${POSTING_CONSUMERS}) and ${FOR_LEDGER(i.type)} limit ${LEDGER_COUNTED})`;
  const dead = builder
    .select({ id: l.id })
    .from(l)
    .where(
      and(
        eq(l.tenantId, tenantId),
        isNull(l.settledAt),
        FOR_LEDGER(l.type),
        sql`case ${l.side} when 'inbox' then ${l.place} = any (${POSTING_CONSUMERS}) else ${notWithLedger(tenantId, l.place, l.messageRowId, source)} end`,
      ),
    )
    .orderBy(desc(l.deadAt))
    .limit(LEDGER_COUNTED)
    .as("d");
  const query = select({
    waiting: COUNT,
    oldestMs: sql<number | null>`(extract(epoch from now() - min(since)) * 1000)::float8`,
    dead: sql<number>`(${select({ count: COUNT }).from(dead)})`,
  }).from(sql`(${coming} union all ${recorded}) w`);
  const [row] = await rowsOf(q, query);
  if (row === undefined) throw new Error("a count has one row");
  return row;
}
