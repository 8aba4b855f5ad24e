import { and, desc, eq, lt, not, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, isConsole, rowsOf, timeText } from "@/db/query";
import { apiClients, conflictMarks, idempotencyEvents } from "@/db/schema";
import { CONFLICT_IDS, type ConflictSearch } from "@/domain/lists/filters";
import { NAV_COUNTED } from "@/domain/lists/nav-counted";

const e = alias(idempotencyEvents, "e");
const c = alias(apiClients, "c");
const m = alias(conflictMarks, "m");

/** Conflicts that are grouped for a page, the newest of the window; older ones of a busier window are left out and said. */
export const CONFLICTS_READ = NAV_COUNTED;
/** Marks of a spark, whatever the window. */
export const SPARK_SLOTS = 24;

/** As text, RFC 3339 UTC: only the days of it are looked at. */
export interface ConflictWindow {
  /** Inclusive. */
  readonly from: string;
  /** Exclusive; of an open window, now. */
  readonly until: string;
  /** Nobody asked for an end: what a clock ahead of the database's wrote is in it too. */
  readonly open: boolean;
}

export interface ConflictGroupRow {
  readonly client: string;
  readonly operation: string;
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** Newest first, at most CONFLICT_IDS. */
  readonly ids: readonly string[];
  /** One per conflict: its place in the window, 0 to SPARK_SLOTS - 1. */
  readonly slots: readonly number[];
  /** Lists of differing fields as they occurred, each once; whatever the events keep. */
  readonly fields: readonly unknown[];
  readonly mark?: string | undefined;
  readonly note?: string | undefined;
  readonly markedBy?: string | undefined;
  readonly markedAt?: string | undefined;
  /** Those that came after the mark. */
  readonly newer: number;
}

/**
 * The newest conflicts of a window by client and operation, from their own partial index; without commands. They are added up
 * where they lie: what a page gets is a row per group, however many there were.
 */
export async function selectConflictGroups(
  q: Queryable,
  tenantId: string,
  window: ConflictWindow,
  search: Pick<ConflictSearch, "client" | "operation">,
): Promise<ConflictGroupRow[]> {
  const { client, operation } = search;
  const name = sql`coalesce(${c.name}, ${e.client}, '')`;
  // Days as values: what the planner knows it need not plan for, and there are many partitions.
  const days = sql`${e.day} between ${dayOf(window.from)}::date and ${dayOf(window.until)}::date + 1`;
  const found = builder
    .select({
      id: e.id,
      at: e.at,
      operation: e.operation,
      client: sql`${name}`.as("client"),
      fields: sql`${e.detail} -> 'differingFields'`.as("fields"),
      slot: sql`width_bucket(${e.at}, ${sql.param(slotStarts(window))}::timestamptz[])`.as("slot"),
    })
    .from(e)
    .leftJoin(c, and(eq(c.tenantId, e.tenantId), eq(c.id, e.client)))
    .where(
      and(
        eq(e.tenantId, tenantId),
        // As text: the partial index is found by the constant alone.
        sql`${e.type} = 'conflict' and ${e.at} >= ${window.from}::timestamptz`,
        window.open ? undefined : lt(e.at, sql`${window.until}::timestamptz`),
        days,
        client === undefined ? undefined : eq(name, client),
        operation === undefined ? not(isConsole(e.operation)) : eq(e.operation, operation),
      ),
    )
    .orderBy(desc(e.at), desc(e.id))
    .limit(CONFLICTS_READ);
  // What is found is grouped in two ways that are joined again: names of these steps, not of columns, so they are text.
  return rowsOf(
    q,
    sql<ConflictGroupRow>`with found as materialized ${found},
groups as (
  select f.client, f.operation, count(*)::int as count, min(f.at) as first_at, max(f.at) as last_at,
    to_json((array_agg(f.id order by f.at desc, f.id desc))[1:${sql.raw(String(CONFLICT_IDS))}]) as ids, json_agg(f.slot) as slots
  from found f group by 1, 2),
shapes as (
  select d.client, d.operation, jsonb_agg(d.fields) as fields
  from (select distinct f.client, f.operation, f.fields from found f) d group by 1, 2)
select g.client, g.operation, g.count, ${timeText(sql`g.first_at`)} as first_at, ${timeText(sql`g.last_at`)} as last_at, g.ids, g.slots, s.fields,
  ${m.mark}, ${m.note}, ${m.markedBy}, ${timeText(m.markedAt)} as marked_at,
  case when ${m.markedAt} < g.last_at then (select count(*) from found f where f.client = g.client and f.operation = g.operation and f.at > ${m.markedAt})
    else 0 end::int as newer
from groups g
join shapes s using (client, operation)
left join ${conflictMarks} m on ${m.tenantId} = ${tenantId} and ${m.client} = g.client and ${m.operation} = g.operation
order by g.count desc, g.last_at desc`,
  );
}

/** Where each part of the window but the first begins: a place among them is a part's number. */
function slotStarts({ from, until }: ConflictWindow): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(until)];
  const step = Math.max(0, last - first) / SPARK_SLOTS;
  return Array.from({ length: SPARK_SLOTS - 1 }, (_, index) => new Date(first + (index + 1) * step).toISOString());
}

/** The UTC day of a time. */
function dayOf(iso8601: string): string {
  return iso8601.slice(0, 10);
}
