import { and, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { rowsOf } from "@/db/query";
import { iso } from "@/db/sql-text";
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
    sql`${at} < ${until}::timestamptz and ${day} <= (${until}::timestamptz at time zone 'utc')::date`,
    from === null
      ? undefined
      : sql`${at} >= ${from}::timestamptz and ${day} >= (${from}::timestamptz at time zone 'utc')::date`,
    after && sql`${day} >= ${after.day}::date and (${day}, ${id}) > (${after.day}::date, ${after.id}::uuid)`,
  );
}

/** Both ends as the database sees them now, so that all pages of one read are of the same window. RFC 3339. */
export interface ExportWindow {
  /** Inclusive; null: from the beginning. */
  readonly from: string | null;
  /** Exclusive. */
  readonly until: string;
  /** When that was. */
  readonly at: string;
}

export async function resolveWindow(q: Queryable, window: TimeWindow): Promise<ExportWindow> {
  const hours = windowHours(window) ?? null;
  const { rows } = await q.query<ExportWindow>({
    text: `select ${iso("coalesce($1::timestamptz, now() - make_interval(hours => $3::integer))")} as from, ${iso("coalesce($2::timestamptz, now())")} as until,
  ${iso("now()")} as at`,
    values: [window.from ?? null, window.to ?? null, hours],
  });
  const [resolved] = rows;
  if (resolved === undefined) throw new Error("a select without from answers one row");
  return resolved;
}

/** @returns how many rows a query finds that ends at its own limit */
export async function countRows(q: Queryable, found: SQLWrapper): Promise<number> {
  const [row] = await rowsOf(q, sql<{ count: number }>`select count(*)::integer as count from (${found.getSQL()}) x`);
  return row?.count ?? 0;
}
