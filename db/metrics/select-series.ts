import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, NOW_TEXT, rowsOf, select, timeTextOrNull } from "@/db/query";
import { metricBuckets, metricHours, metricMinutes } from "@/db/schema";

const b = alias(metricBuckets, "b");
const h = alias(metricHours, "h");
const m = alias(metricMinutes, "m");

/** Computed minutes that the age of the newest is read from. */
const NEWEST = 5;

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

/**
 * Database time of a read, the age of the newest computed minute, and the end of the newest hour that is rolled up as a whole: before it
 * hours are read, after it minutes.
 */
export async function selectFrame(q: Queryable, tenantId: string) {
  const computed = builder
    .select({ at: b.computedAt })
    .from(b)
    .where(and(eq(b.tenantId, tenantId), isNotNull(b.computedAt)))
    .orderBy(desc(b.bucket))
    .limit(NEWEST)
    .as("c");
  const age = sql`(extract(epoch from now() - max(${computed.at})) * 1000)::float8`;
  const hoursUntil = timeTextOrNull(sql`(max(${h.bucket}) + interval '1 hour')`);
  const query = select({
    at: NOW_TEXT,
    rolledUpMs: sql<number | null>`${select({ age }).from(computed)}`,
    hoursUntil: sql<string | null>`${select({ hoursUntil }).from(h).where(eq(h.tenantId, tenantId))}`,
  });
  const [row] = await rowsOf(q, query.from(sql`(values (1)) one`));
  if (row === undefined) throw new Error("a frame has one row");
  return row;
}
