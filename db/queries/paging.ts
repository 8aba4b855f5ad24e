import type { Cursor } from "@/domain/cursor";
import type { TimeWindow } from "@/domain/filters/search";
import { windowHours } from "@/domain/filters/search";
import type { Conditions } from "./sql-text";

/** Rows of one page; one more is read to know whether there is another page. */
export const PAGE_ROWS = 50;

export interface PageRequest {
  readonly limit: number;
  readonly direction: "asc" | "desc";
  readonly cursor?: Cursor | undefined;
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
  const { cursor } = page;
  const descending = (page.direction === "desc") !== (cursor?.direction === "previous");
  if (cursor !== undefined) {
    const value = `${where.param(cursor.value)}::${sort.type}`;
    const id = `${where.param(cursor.id)}::${sort.idType}`;
    where.add(`(${sort.value}, ${sort.id}) ${descending ? "<" : ">"} (${value}, ${id})`);
  }
  const order = descending ? "desc" : "asc";
  return `order by ${sort.value} ${order}, ${sort.id} ${order} limit ${where.param(page.limit + 1)}`;
}

const PLACES: Readonly<Record<SortColumns["type"] | SortColumns["idType"], RegExp>> = {
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  bigint: /^-?\d{1,18}$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
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
