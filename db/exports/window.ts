import { and, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { dayOf, NOW_TEXT, rowsOf, timeText } from "@/db/query";
import { type TimeWindow, windowHours } from "@/domain/lists/window";

/** Where a page ends in a table that is kept by day: ids are UUIDv7, so (day, id) is the order of time. */
export interface DayPlace {
  readonly day: string;
  readonly id: string;
}

/** The window and what comes after a place; days are named too, so that only their partitions are read. */
export function withinDays(
  { at, day, id }: { readonly at: PgColumn; readonly day: PgColumn; readonly id: PgColumn },
  { from, until }: ExportWindow,
  after: DayPlace | undefined,
): SQL | undefined {
  return and(
    sql`${at} < ${until}::timestamptz and ${day} <= ${dayOf(until)}`,
    from === undefined ? undefined : sql`${at} >= ${from}::timestamptz and ${day} >= ${dayOf(from)}`,
    after && sql`${day} >= ${after.day}::date and (${day}, ${id}) > (${after.day}::date, ${after.id}::uuid)`,
  );
}

/** Both ends as the database sees them now, so that all pages of one read are of the same window. RFC 3339. */
export interface ExportWindow {
  /** Inclusive; undefined: from the beginning. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly until: string;
  /** When that was. */
  readonly at: string;
}

export async function resolveWindow(q: Queryable, window: TimeWindow): Promise<ExportWindow> {
  const from = sql`coalesce(${window.from ?? null}::timestamptz, now() - make_interval(hours => ${windowHours(window) ?? null}::integer))`;
  const until = sql`coalesce(${window.to ?? null}::timestamptz, now())`;
  const [resolved] = await rowsOf(
    q,
    sql<ExportWindow>`select ${timeText(from)} as "from", ${timeText(until)} as until, ${NOW_TEXT} as at`,
  );
  if (resolved === undefined) throw new Error("a select without from answers one row");
  return resolved;
}
