import { and, asc, desc, eq, gt, isNotNull, isNull, like, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import type { SeriesWindow } from "@/db/metrics/select-series";
import {
  allColumns,
  builder,
  COUNT,
  countWhere,
  rowsOf,
  select,
  slotStart,
  timeText,
  unionAllOf,
  unionOf,
} from "@/db/query";
import { deadLetters, inboxMessages, inboxOpen, metricMessages, outboxMessages } from "@/db/schema";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import type { MessageSide } from "@/domain/messages/side";

const r = alias(metricMessages, "r");
const l = alias(deadLetters, "l");
const m = alias(outboxMessages, "m");
const i = alias(inboxMessages, "i");
const o = alias(inboxOpen, "o");

interface Place {
  readonly side: MessageSide;
  readonly place: string;
}

/** One topic or consumer over time, from the roll-ups alone. The p95 of a wider bucket is the highest of its minutes. */
export async function selectPlaceSeries(
  q: Queryable,
  tenantId: string,
  { side, place }: Place,
  { bucketSeconds, buckets }: SeriesWindow,
) {
  const end = sql`to_timestamp(ceil(extract(epoch from date_trunc('minute', now())) / ${bucketSeconds}) * ${bucketSeconds})`;
  const begin = sql`${end} - make_interval(secs => ${bucketSeconds * buckets})`;
  const total = (count: PgColumn) => sql<number>`sum(${count})::int`;
  const query = select({
    bucket: timeText(slotStart(r.bucket, bucketSeconds)),
    succeeded: total(r.succeeded),
    failed: total(r.failed),
    dead: total(r.dead),
    lagP95Ms: sql<number | null>`max(${r.lagP95Ms})`,
    lagMaxMs: sql<number | null>`max(${r.lagMaxMs})::float8`,
  })
    .from(r)
    .where(
      and(
        eq(r.tenantId, tenantId),
        eq(r.side, side),
        eq(r.place, place),
        sql`${r.bucket} >= ${begin} and ${r.bucket} < ${end}`,
      ),
    )
    .groupBy(sql`1`);
  return rowsOf(q, query);
}

const ERRORS = 20;

/** What is wrong at a place now: open dead letters by cause, and what waits for its next attempt by its last error. */
export async function selectPlaceErrors(q: Queryable, tenantId: string, { side, place }: Place) {
  const newest = (text: PgColumn) => sql<string>`(array_agg(${text} order by ${l.deadAt} desc))[1]`;
  const dead = select({
    /** Of dead letters only: what groups them. */
    fingerprint: sql<string | null>`${l.errorFingerprint}`,
    code: newest(l.errorCode),
    error: newest(l.error),
    waiting: sql<number>`0`,
    dead: COUNT,
    lastAt: sql<string | null>`${timeText(sql`max(${l.deadAt})`)}`,
  })
    .from(l)
    .where(and(eq(l.tenantId, tenantId), eq(l.side, side), eq(l.place, place), isNull(l.settledAt)))
    .groupBy(l.errorFingerprint)
    .orderBy(desc(COUNT))
    .limit(ERRORS);
  const waits = side === "outbox" ? waitingAtTopic(tenantId, place) : waitingAtConsumer(tenantId, place);
  return rowsOf(q, unionAllOf(dead, waits));
}

/** Of those that were tried in vain, the first WAITING_COUNTED. */
function waitingAtTopic(tenantId: string, topic: string) {
  const tried = sql`(${m.attemptsFinished} > 0 or ${m.lastErrorCode} is not null)`;
  const first = builder
    .select(allColumns(m))
    .from(m)
    .where(and(eq(m.tenantId, tenantId), eq(m.topic, topic), eq(m.state, "pending"), tried))
    .orderBy(m.nextAttemptAt)
    .limit(WAITING_COUNTED)
    .as("m");
  const known = isNotNull(m.lastErrorCode);
  return select(waitingFields(m)).from(first).where(known).groupBy(m.lastErrorCode).orderBy(desc(COUNT)).limit(ERRORS);
}

/** As {@link waitingAtTopic}; what was requeued keeps its error, counts no attempt, and is handled alone. */
function waitingAtConsumer(tenantId: string, consumer: string) {
  const its = and(eq(o.tenantId, tenantId), eq(o.consumer, consumer));
  const first = (where: SQL | undefined) =>
    builder.select({ id: o.id }).from(o).where(where).orderBy(o.nextAttemptAt).limit(WAITING_COUNTED);
  const lane = builder
    .select(allColumns(o))
    .from(o)
    .where(and(eq(o.tenantId, tenantId), eq(o.alone, true)))
    .orderBy(o.nextAttemptAt)
    .limit(WAITING_COUNTED)
    .as("o");
  const alone = builder.select({ id: o.id }).from(lane).where(its);
  const tried = sql`(${unionOf<unknown>(first(and(its, gt(o.attemptsFinished, 0))), alone)})`;
  return select(waitingFields(i))
    .from(i)
    .where(and(eq(i.tenantId, tenantId), sql`${i.id} = any(array${tried})`, isNotNull(i.lastErrorCode)))
    .groupBy(i.lastErrorCode)
    .orderBy(desc(COUNT))
    .limit(ERRORS);
}

function waitingFields({ lastErrorCode, lastError }: Record<"lastErrorCode" | "lastError", PgColumn>) {
  return {
    fingerprint: sql<string | null>`null`,
    code: sql<string>`${lastErrorCode}`,
    error: sql<string>`max(${lastError})`,
    waiting: COUNT,
    dead: sql<number>`0`,
    lastAt: sql<string | null>`null`,
  };
}

/** Newest arrivals that are looked through for what a consumer gets. */
export const ARRIVALS_SCANNED = 5_000;

/** What came for a consumer of late and what it said: among the newest arrivals of the tenant, so its cost is bounded. */
export async function selectConsumerTypes(q: Queryable, tenantId: string, consumer: string) {
  const newest = builder
    .select(allColumns(i))
    .from(i)
    .where(eq(i.tenantId, tenantId))
    .orderBy(desc(i.receivedAt), desc(i.id))
    .limit(ARRIVALS_SCANNED)
    .as("i");
  const query = select({
    type: i.type,
    source: i.source,
    count: COUNT,
    duplicates: sql<number>`sum(${i.duplicates})::int`,
    mismatches: sql<number>`sum(${i.mismatches})::int`,
    superseded: countWhere(like(i.result, "superseded%")),
    ignored: countWhere(eq(i.result, "ignored")),
    lastAt: timeText(sql`max(${i.receivedAt})`),
  })
    .from(newest)
    .where(eq(i.consumer, consumer))
    .groupBy(i.type, i.source)
    .orderBy(desc(COUNT), asc(i.type))
    .limit(ERRORS);
  return rowsOf(q, query);
}
