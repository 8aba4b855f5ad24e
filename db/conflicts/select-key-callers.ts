import { and, desc, eq, gt, isNotNull, lt, ne, not, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import {
  allColumns,
  builder,
  COUNT,
  dayOf,
  hoursAgo,
  isConsole,
  NOW_TEXT,
  pick,
  rowsOf,
  select,
  timeText,
} from "@/db/query";
import { idempotencyEvents, idempotencyRequests } from "@/db/schema";

const e = alias(idempotencyEvents, "e");
const r = alias(idempotencyRequests, "r");

/** Callers of one key that are told apart; a key has one client, or somebody guesses keys. */
const CALLERS = 20;

/** How long a key stands for its operation. */
export async function selectKeyWindow(q: Queryable, tenantId: string, operationId: string) {
  const query = select({
    at: NOW_TEXT,
    ...pick(r, "expiresAt"),
    windowHours: sql<number>`greatest(1, round(extract(epoch from ${r.expiresAt} - ${r.createdAt}) / 3600))::int`,
    open: sql<boolean>`${r.expiresAt} > now()`,
  })
    .from(r)
    .where(and(eq(r.tenantId, tenantId), eq(r.operationId, operationId)));
  return (await rowsOf(q, query)).at(0);
}

/** Who used the key within its last window, the one that came last first. */
export async function selectKeyCallers(q: Queryable, tenantId: string, operationId: string, windowHours: number) {
  const since = hoursAgo(windowHours);
  const last = sql`max(${e.at})`;
  const query = select({
    client: sql<string>`coalesce(${e.client}, '')`,
    requests: COUNT,
    firstAt: timeText(sql`min(${e.at})`),
    lastAt: timeText(last),
    lastOutcome: sql<string>`(array_agg(${e.outcome} order by ${e.at} desc, ${e.id} desc))[1]`,
  })
    .from(e)
    .where(
      and(
        eq(e.tenantId, tenantId),
        eq(e.operationId, operationId),
        isNotNull(e.outcome),
        gt(e.at, since),
        sql`${e.day} >= ${dayOf(since)}`,
      ),
    )
    .groupBy(sql`1`)
    .orderBy(desc(last))
    .limit(CALLERS);
  return rowsOf(q, query);
}

/** Newest events of the tenant that are looked through: what the page costs does not grow with its history. */
export const EVENTS_SCANNED = 5_000;
const SHOWN = 10;

/** Retries of one client that came sooner than the schedule allows, newest first, among the newest events. */
export async function selectFastRetries(q: Queryable, tenantId: string, client: string, fastMs: number) {
  const newest = builder
    .select(allColumns(e))
    .from(e)
    .where(and(eq(e.tenantId, tenantId), sql`${e.day} >= (now() at time zone 'utc')::date - 1`))
    .orderBy(desc(e.day), desc(e.id))
    .limit(EVENTS_SCANNED)
    .as("e");
  const query = select({
    ...pick(e, "operationId", "operation", "at"),
    gapMs: sql<number>`${e.delayMs}`,
    outcome: sql<string>`${e.outcome}`,
  })
    .from(newest)
    .where(and(eq(e.client, client), lt(e.delayMs, fastMs), ne(e.outcome, "executed"), not(isConsole(e.operation))))
    .orderBy(desc(e.at))
    .limit(SHOWN);
  return rowsOf(q, query);
}
