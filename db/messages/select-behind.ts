import { and, desc, eq, isNotNull, isNull, ne, notLike, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { POSTED_EVENTS, POSTING_CONSUMERS } from "@/db/kinds/expected";
import { builder, COUNT, rowsOf, select, unionAllOf, type RowOf } from "@/db/query";
import { deadLetters, inboxMessages, inboxOpen, outboxMessages, topics, webhookEndpoints } from "@/db/schema";
import type { MessageSide } from "@/domain/messages/side";

const m = alias(outboxMessages, "m");
const o = alias(inboxOpen, "o");
const i = alias(inboxMessages, "i");
const l = alias(deadLetters, "l");
const t = alias(topics, "t");
const e = alias(webhookEndpoints, "e");

export type LatePlaceRow = RowOf<typeof selectLatePlaces>;

const ageMs = (since: PgColumn): SQL<number> => sql`(extract(epoch from now() - min(${since})) * 1000)::float8`;
const isLate = (since: PgColumn, lateMs: number): SQL =>
  sql`min(${since}) < now() - make_interval(secs => ${lateMs / 1_000})`;

/**
 * Topics and consumers whose oldest waiting message is older than `lateMs`, the oldest first.
 *
 * @param limit places of each side; `late` says how many there are of it
 */
export async function selectLatePlaces(q: Queryable, tenantId: string, lateMs: number, limit: number) {
  const late = builder
    .select({
      topic: m.topic,
      waiting: COUNT.as("waiting"),
      oldestMs: ageMs(m.createdAt).as("oldestMs"),
      late: sql<number>`count(*) over ()::int`.as("late"),
    })
    .from(m)
    .where(and(eq(m.tenantId, tenantId), eq(m.state, "pending")))
    .groupBy(m.topic)
    .having(isLate(m.createdAt, lateMs))
    .orderBy(sql`min(${m.createdAt})`)
    .limit(limit)
    .as("w");
  const ofTopics = select({
    side: sql<MessageSide>`'outbox'`,
    place: late.topic,
    waiting: late.waiting,
    oldestMs: late.oldestMs,
    late: late.late,
    paused: sql<boolean>`${t.pausedAt} is not null`,
    disabled: sql<boolean>`${e.disabledAt} is not null`,
  })
    .from(late)
    .leftJoin(t, and(eq(t.tenantId, tenantId), eq(t.topic, late.topic)))
    .leftJoin(e, and(eq(e.tenantId, tenantId), sql`'webhook:' || ${e.id}::text = ${late.topic}`));
  const ofConsumers = select({
    side: sql<MessageSide>`'inbox'`,
    place: o.consumer,
    waiting: COUNT,
    oldestMs: ageMs(o.receivedAt),
    late: sql<number>`count(*) over ()::int`,
    paused: sql<boolean>`false`,
    disabled: sql<boolean>`false`,
  })
    .from(o)
    .where(eq(o.tenantId, tenantId))
    .groupBy(o.consumer)
    .having(isLate(o.receivedAt, lateMs))
    .orderBy(sql`min(${o.receivedAt})`)
    .limit(limit);
  const rows = await rowsOf(q, unionAllOf(ofTopics, ofConsumers));
  return [...rows].sort((a, b) => b.oldestMs - a.oldestMs);
}

/** Messages for the ledger that are looked at, of each kind. */
export const LEDGER_COUNTED = 10_000;

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
 * before it. At most LEDGER_COUNTED of each.
 *
 * @param source of our own events
 */
export async function selectLedgerBacklog(q: Queryable, tenantId: string, source: string) {
  const coming = select({ since: m.createdAt })
    .from(m)
    .where(
      and(
        eq(m.tenantId, tenantId),
        eq(m.state, "pending"),
        FOR_LEDGER(m.type),
        notWithLedger(tenantId, m.topic, m.id, source),
      ),
    )
    .orderBy(m.createdAt)
    .limit(LEDGER_COUNTED);
  const recorded = select({ since: o.receivedAt })
    .from(o)
    .innerJoin(i, and(eq(i.tenantId, o.tenantId), eq(i.id, o.id)))
    .where(and(eq(o.tenantId, tenantId), sql`${o.consumer} = any (${POSTING_CONSUMERS})`, FOR_LEDGER(i.type)))
    .orderBy(o.receivedAt)
    .limit(LEDGER_COUNTED);
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
  }).from(sql`(${unionAllOf(coming, recorded)}) w`);
  const [row] = await rowsOf(q, query);
  if (row === undefined) throw new Error("a count has one row");
  return row;
}
