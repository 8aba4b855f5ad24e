import { and, desc, eq, gt, inArray, isNull, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { anyOf, builder, COUNT, countWhere, rowsOf, select, subselect, timeTextOrNull } from "@/db/query";
import { deadLetters, inboxOpen, metricMessages, outboxMessages } from "@/db/schema";
import { OUTAGE_CODES } from "@/domain/messages/outage";
import type { MessageSide } from "@/domain/messages/side";

const m = alias(outboxMessages, "m");
const i = alias(inboxOpen, "i");
const l = alias(deadLetters, "l");
const r = alias(metricMessages, "m");

/** Topics or consumers that are looked at; one more says that there are more. */
export const PLACES = 200;

function oldestMs(since: PgColumn, only: SQL): SQL<number | null> {
  return sql`(extract(epoch from now() - min(${since}) filter (where ${only})) * 1000)::float8`;
}

/** What waits and what is dead per topic, exact: the open outbox is small. @param only these topics */
async function selectOpenTopics(q: Queryable, tenantId: string, only: readonly string[] | undefined) {
  const pending = eq(m.state, "pending");
  const failing = and(pending, gt(m.attemptsFinished, 0));
  const outage = and(pending, anyOf(m.lastErrorCode, OUTAGE_CODES));
  const [waits, dead] = [countWhere(pending), countWhere(eq(m.state, "dead"))];
  const query = select({
    place: m.topic,
    waiting: waits,
    /** Waits, and was tried in vain. */
    failing: countWhere(failing),
    dead,
    /** Inbox: handled one at a time from now on. */
    alone: sql<number>`0`,
    oldestMs: oldestMs(m.createdAt, pending),
    nextFailingAt: timeTextOrNull(sql`min(${m.nextAttemptAt}) filter (where ${failing})`),
    /** Outbox: why nothing can be sent there now. */
    outage: sql<string | null>`max(${m.lastErrorCode}) filter (where ${outage})`,
  })
    .from(m)
    .where(and(eq(m.tenantId, tenantId), inArray(m.state, ["pending", "dead"]), only && anyOf(m.topic, only)))
    .groupBy(m.topic)
    .orderBy(desc(dead), desc(waits), m.topic)
    .limit(PLACES + 1);
  return rowsOf(q, query);
}

/** The same per consumer: what waits is in a table of its own, what is dead is told by its open dead letters. */
async function selectOpenConsumers(q: Queryable, tenantId: string, only: readonly string[] | undefined) {
  const failing = gt(i.attemptsFinished, 0);
  const w = subselect({
    consumer: i.consumer,
    waiting: COUNT,
    failing: countWhere(failing),
    alone: countWhere(sql`${i.alone}`),
    oldestMs: oldestMs(i.receivedAt, sql`true`),
    nextFailingAt: sql`min(${i.nextAttemptAt}) filter (where ${failing})`,
  })
    .from(i)
    .where(and(eq(i.tenantId, tenantId), only && anyOf(i.consumer, only)))
    .groupBy(i.consumer)
    .as("w");
  const d = subselect({ place: l.place, dead: COUNT })
    .from(l)
    .where(and(eq(l.tenantId, tenantId), eq(l.side, "inbox"), isNull(l.settledAt), only && anyOf(l.place, only)))
    .groupBy(l.place)
    .as("d");
  const orNone = (count: SQL.Aliased<number>) => sql<number>`coalesce(${count}, 0)`;
  const place = sql<string>`coalesce(${w.consumer}, ${d.place})`;
  const query = select({
    place,
    waiting: orNone(w.waiting),
    failing: orNone(w.failing),
    dead: orNone(d.dead),
    alone: orNone(w.alone),
    oldestMs: w.oldestMs,
    nextFailingAt: timeTextOrNull(w.nextFailingAt),
    outage: sql<string | null>`null`,
  })
    .from(w)
    .fullJoin(d, eq(d.place, w.consumer))
    .orderBy(desc(orNone(d.dead)), desc(orNone(w.waiting)), place)
    .limit(PLACES + 1);
  return rowsOf(q, query);
}

/** What is open per place, those with most first. @param only these places, at most PLACES; without it the first PLACES and one more */
export function selectOpenPlaces(q: Queryable, tenantId: string, side: MessageSide, only?: readonly string[]) {
  return side === "outbox" ? selectOpenTopics(q, tenantId, only) : selectOpenConsumers(q, tenantId, only);
}

/** Bars of the last hour, five minutes each. */
export const SPARK_BARS = 12;
const BAR_SECONDS = 300;

const END = sql`date_trunc('minute', now())`;
const BAR = sql`floor(extract(epoch from ${r.bucket} - (${END} - interval '1 hour')) / ${sql.raw(String(BAR_SECONDS))})`;
const SPARK = sql.join(
  Array.from({ length: SPARK_BARS }, (_, bar) => sumWhere(sql`${BAR} = ${sql.raw(String(bar))}`)),
  sql`, `,
);

function sumWhere(condition: SQL): SQL {
  return sql`coalesce(sum(${r.succeeded}) filter (where ${condition}), 0)::int`;
}

/**
 * The last whole hour of each place, from the roll-ups alone; idle places are left out. Walks from place to place along the key, so
 * months of minutes cost nothing; SQL text around the columns, because drizzle has no recursive `with`. The p95 is the highest of its
 * minutes: it never flatters.
 *
 * @param only these places, at most PLACES
 */
export async function selectPlaceRates(q: Queryable, tenantId: string, side: MessageSide, only?: readonly string[]) {
  const ofSide = and(eq(r.tenantId, tenantId), eq(r.side, side));
  const next = (after?: SQL) =>
    builder.select({ place: r.place }).from(r).where(and(ofSide, after)).orderBy(r.place).limit(1);
  const total = (count: PgColumn) => sql<number>`coalesce(sum(${count}), 0)::int`;
  const hour = select({
    succeeded: total(r.succeeded),
    failed: total(r.failed),
    dead: total(r.dead),
    lagP95Ms: sql<number | null>`max(${r.lagP95Ms})`,
    spark: sql<number[]>`array[${SPARK}]`,
  })
    .from(r)
    .where(
      and(ofSide, sql`${r.place} = p.place and ${r.bucket} >= ${END} - interval '1 hour' and ${r.bucket} < ${END}`),
    );
  const places =
    only === undefined
      ? sql`with recursive places as (${next()} union all
  select n.place from places p cross join lateral ${next(sql`${r.place} > p.place`)} n)`
      : sql`with places as (select n.place from unnest(${sql.param(only)}::text[]) as n(place))`;
  return rowsOf(
    q,
    sql<(typeof hour._.result)[number] & { place: string }>`${places}
select p.place, h.* from (select place from places limit ${PLACES + 1}) p cross join lateral ${hour} h
where h.succeeded + h.failed + h.dead > 0`,
  );
}
