import { and, asc, desc, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "./client";
import { hoursAgo, rowsOf, select, subselect, timeText } from "./query";
import { type TimeWindow, windowHours } from "@/domain/lists/window";
import type { Cursor, CursorTypes } from "@/domain/lists/cursor";

/** Rows of one page; one more is read to know whether there is another page. */
export const PAGE_ROWS = 50;

/**
 * Rows that one page of a filtered list looks at, whatever the table holds: a filter that is rare and has no index would walk all of it.
 * Where the page is not full by then, it says how far it came and goes on from there.
 */
export const SCAN_LIMIT = 10_000;

export interface PageRequest {
  readonly limit: number;
  readonly direction: "asc" | "desc";
  readonly cursor?: Cursor | undefined;
  /** Rows of the window that are looked at in the list's order at the most; without it all of them. */
  readonly scanLimit?: number | undefined;
}

/** An allow-listed sort: a value that is never null, its type, and a unique tie-breaker. */
export interface Sort extends CursorTypes {
  readonly value: PgColumn | SQL;
  readonly id: PgColumn;
  /** Between the two, where many rows have one value: the index goes on with it, and a cursor's row is asked for its own. */
  readonly then?: { readonly column: PgColumn; readonly of: (id: string, missing: SQL) => SQL };
}

/** A page goes on behind its cursor, or before it on the way back: then its rows come in the other order. */
export function descends({ direction, cursor }: PageRequest): boolean {
  return (direction === "desc") !== (cursor?.direction === "previous");
}

/** The `order by` of a page. */
export function orderOf(sort: Sort, page: PageRequest): SQL[] {
  const order = descends(page) ? desc : asc;
  return [order(sort.value), ...(sort.then === undefined ? [] : [order(sort.then.column)]), order(sort.id)];
}

/** What comes after the cursor of a page, compared as a row of values. */
export function afterCursor(sort: Sort, page: PageRequest): SQL | undefined {
  if (page.cursor === undefined) return undefined;
  const { value, id } = page.cursor;
  const down = descends(page);
  const first = sql`${value}::${sql.raw(sort.type)}`;
  const last = sql`${id}::${sql.raw(sort.idType)}`;
  const sign = sql.raw(down ? "<" : ">");
  if (sort.then === undefined) return sql`(${sort.value}, ${sort.id}) ${sign} (${first}, ${last})`;
  // A row that is gone since: its equals come once more, and none is left out.
  const then = sort.then.of(id, sql.raw(down ? "'infinity'" : "'-infinity'"));
  return sql`(${sort.value}, ${sort.then.column}, ${sort.id}) ${sign} (${first}, ${then}, ${last})`;
}

/** The value that a row is sorted by, as a cursor carries it. */
export function sortText({ type, value }: Sort): SQL<string> {
  return type === "timestamptz" ? timeText(sql`${value}`) : sql<string>`(${value})::text`;
}

/**
 * The row at which the look of a page ended.
 *
 * @param walk what the page's rows come from, its conditions on window and cursor, and its order
 * @returns undefined when the look came to the end of the window
 */
export async function horizonOf(
  q: Queryable,
  walk: { readonly from: PgTable; readonly where: SQL | undefined; readonly order: readonly SQL[] },
  sort: Sort,
  look: number,
): Promise<PagePosition | undefined> {
  const looked = subselect({ value: sql`${sort.value}`, id: sql<string>`${sort.id}` })
    .from(walk.from)
    .where(walk.where)
    .orderBy(...walk.order)
    .limit(look)
    .as("k");
  const numbered = subselect({ value: looked.value, id: looked.id, n: sql<number>`row_number() over ()` })
    .from(looked)
    .as("s");
  const [last] = await rowsOf(
    q,
    select({
      value: sort.type === "timestamptz" ? timeText(sql`${numbered.value}`) : sql<string>`${numbered.value}::text`,
      id: sql<string>`${numbered.id}::text`,
    })
      .from(numbered)
      .where(eq(numbered.n, look)),
  );
  return last;
}

/** The time window of a list. */
export function inWindow(column: PgColumn, window: TimeWindow): SQL | undefined {
  const hours = windowHours(window);
  const { from, to } = window;
  return and(
    from !== undefined ? gte(column, sql`${from}::timestamptz`) : undefined,
    hours !== undefined ? gte(column, hoursAgo(hours)) : undefined,
    to !== undefined ? lt(column, sql`${to}::timestamptz`) : undefined,
  );
}

/** A row's place in its list: the value that it is sorted by, and its unique tie-breaker. */
export interface PagePosition {
  readonly value: string;
  readonly id: string;
}
