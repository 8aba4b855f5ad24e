import { UUID } from "@/domain/uuid";
import type { Queryable } from "./client";
import { iso, type Conditions } from "./sql-text";
import { type TimeWindow, windowHours } from "@/domain/lists/window";
import type { Cursor } from "@/domain/lists/cursor";

/** Rows of one page; one more is read to know whether there is another page. */
export const PAGE_ROWS = 50;

/**
 * Rows that one page of a filtered list looks at, whatever the table holds: a filter that is rare and has no index would walk all of it.
 * Where the page is not full by then, it says how far it came and goes on from there.
 */
export const LOOKED_ROWS = 10_000;

export interface PageRequest {
  readonly limit: number;
  readonly direction: "asc" | "desc";
  readonly cursor?: Cursor | undefined;
  /** Rows of the window that are looked at in the list's order at the most; without it all of them. */
  readonly look?: number | undefined;
}

/** An allow-listed sort: a column that is never null, its type, and a unique tie-breaker. */
export interface SortColumns {
  readonly value: string;
  readonly type: "timestamptz" | "bigint";
  readonly id: string;
  readonly idType: "uuid" | "bigint" | "text";
}

/** Adds the cursor's row-value comparison. @returns the `order by … limit …` that belongs to it. */
export function keyset(where: Conditions, sort: SortColumns, page: PageRequest): string {
  return `${ordered(where, sort, page)} limit ${where.param(page.limit + 1)}`;
}

/** As {@link keyset}, without the limit: the cursor's comparison, and the order. */
export function ordered(where: Conditions, sort: SortColumns, page: PageRequest): string {
  const { cursor } = page;
  const descending = (page.direction === "desc") !== (cursor?.direction === "previous");
  if (cursor !== undefined) {
    const value = `${where.param(cursor.value)}::${sort.type}`;
    const id = `${where.param(cursor.id)}::${sort.idType}`;
    where.add(`(${sort.value}, ${sort.id}) ${descending ? "<" : ">"} (${value}, ${id})`);
  }
  const order = descending ? "desc" : "asc";
  return `order by ${sort.value} ${order}, ${sort.id} ${order}`;
}

/**
 * The row at which the look of a page ended.
 *
 * @param source what the page's rows come from, its conditions on window and cursor, and its order
 * @returns undefined when the look came to the end of the window
 */
export async function selectHorizon(
  q: Queryable,
  source: { readonly from: string; readonly where: Conditions; readonly order: string },
  sort: SortColumns,
  look: number,
): Promise<Place | undefined> {
  const { from, where, order } = source;
  const value = sort.type === "timestamptz" ? iso("s.value") : "s.value::text";
  const last = where.param(look);
  const { rows } = await q.query<Place>({
    text: `select ${value} as value, s.id::text as id from (
  select k.*, row_number() over () as n from (
    select ${sort.value} as value, ${sort.id} as id from ${from} where ${where.text()} ${order} limit ${last}) k) s
where s.n = ${last}`,
    values: where.values,
  });
  return rows[0];
}

/** A row's place in its list: the value that it is sorted by, and its unique tie-breaker. */
export interface Place {
  readonly value: string;
  readonly id: string;
}

const PLACES: Readonly<Record<SortColumns["type"] | SortColumns["idType"], RegExp>> = {
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  bigint: /^-?\d{1,18}$/,
  uuid: UUID,
  text: /^[^\u0000]{1,255}$/,
};

/** @returns the cursor when its parts are what the sort needs: a hand-made one starts at the beginning, it never fails. */
export function fittingCursor(cursor: Cursor | undefined, sort: SortColumns): Cursor | undefined {
  return cursor !== undefined && PLACES[sort.type].test(cursor.value) && PLACES[sort.idType].test(cursor.id)
    ? cursor
    : undefined;
}

/** Adds the time window. */
export function within(where: Conditions, column: string, window: TimeWindow): void {
  const hours = windowHours(window);
  if (window.from !== undefined) where.add(`${column} >= ${where.param(window.from)}::timestamptz`);
  else if (hours !== undefined) where.add(`${column} >= now() - make_interval(hours => ${where.param(hours)})`);
  if (window.to !== undefined) where.add(`${column} < ${where.param(window.to)}::timestamptz`);
}
