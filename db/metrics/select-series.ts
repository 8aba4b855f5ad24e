import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, NOW_TEXT, rowsOf, select, timeText, timeTextOrNull } from "@/db/query";
import { metricBuckets, metricHours, metricMinutes } from "@/db/schema";

const b = alias(metricBuckets, "b");
const h = alias(metricHours, "h");
const m = alias(metricMinutes, "m");

/** Computed minutes that the age of the newest is read from. */
const NEWEST = 5;
/** A whole minute that began longer ago is not "now": the roll-up stands still. */
const NOW_MINUTES = 5;

export interface SeriesWindow {
  /** Bucket width in seconds; whole minutes. */
  readonly bucketSeconds: number;
  readonly buckets: number;
}

/** Whether the tenant's oldest rolled-up minute is younger than an hour, or there is none. */
export async function selectIsYoung(q: Queryable, tenantId: string): Promise<boolean> {
  const young = sql<boolean>`coalesce(min(${m.bucket}) > now() - interval '1 hour', true)`;
  const [row] = await rowsOf(q, select({ young }).from(m).where(eq(m.tenantId, tenantId)));
  return row?.young ?? true;
}

/** Start of the oldest minute that was rolled up, RFC 3339; undefined: none. */
export async function selectFirstMeasured(q: Queryable, tenantId: string): Promise<string | undefined> {
  const query = select({ bucket: timeText(b.bucket) })
    .from(b)
    .where(and(eq(b.tenantId, tenantId), isNotNull(b.computedAt)))
    .orderBy(b.bucket)
    .limit(1);
  return (await rowsOf(q, query)).at(0)?.bucket;
}

/**
 * Database time of a read, the age of the newest computed minute, the start of the newest whole minute that was rolled up (what "now" is:
 * the minute that runs is never whole), and the end of the newest hour that is rolled up as a whole: before it hours are read, after it
 * minutes.
 */
export async function selectFrame(q: Queryable, tenantId: string) {
  const computed = builder
    .select({ at: b.computedAt, bucket: b.bucket })
    .from(b)
    .where(and(eq(b.tenantId, tenantId), isNotNull(b.computedAt)))
    .orderBy(desc(b.bucket))
    .limit(NEWEST)
    .as("c");
  const age = sql`(extract(epoch from now() - max(${computed.at})) * 1000)::float8`;
  const hoursUntil = timeTextOrNull(sql`(max(${h.bucket}) + interval '1 hour')`);
  const minute = timeTextOrNull(
    sql`max(${computed.bucket}) filter (where ${computed.bucket} > now() - make_interval(mins => ${NOW_MINUTES}))`,
  );
  const query = select({
    at: NOW_TEXT,
    minute: sql<string | null>`${select({ minute }).from(computed)}`,
    rolledUpMs: sql<number | null>`${select({ age }).from(computed)}`,
    hoursUntil: sql<string | null>`${select({ hoursUntil }).from(h).where(eq(h.tenantId, tenantId))}`,
  });
  const [row] = await rowsOf(q, query.from(sql`(values (1)) one`));
  if (row === undefined) throw new Error("a frame has one row");
  return row;
}
