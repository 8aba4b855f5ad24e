/** Where a page of a list ends. `value` is the sort value as text (times with microseconds), `id` the unique tie-breaker. */
export interface Cursor {
  /** The sort this cursor was made for; another sort makes it void. */
  readonly sort: string;
  readonly direction: "next" | "previous";
  readonly value: string;
  readonly id: string;
}

/** Longest cursor that is looked at. */
export const MAX_CURSOR_LENGTH = 600;

const PARTS = 4;

/** @returns opaque text for a URL. */
export function encodeCursor(cursor: Cursor): string {
  const json = JSON.stringify([cursor.sort, cursor.direction === "next" ? "n" : "p", cursor.value, cursor.id]);
  const bytes = new TextEncoder().encode(json);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** @returns undefined for anything that is not a cursor of this sort: the list then starts at its beginning. */
export function decodeCursor(text: string | undefined, sort: string): Cursor | undefined {
  if (text === undefined || text.length > MAX_CURSOR_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const parts: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!Array.isArray(parts) || parts.length !== PARTS || !parts.every((part) => typeof part === "string"))
      return undefined;
    const [made, direction, value, id] = parts as [string, string, string, string];
    if (made !== sort || (direction !== "n" && direction !== "p")) return undefined;
    return { sort, direction: direction === "n" ? "next" : "previous", value, id };
  } catch {
    return undefined;
  }
}

export interface Cut<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
}

/**
 * Turns `limit + 1` rows, read in the cursor's direction, into a page with its two cursors.
 *
 * @param rows in the order of the query; for `previous` that is against the list's order
 * @param place sort value and id of a row
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursor: Cursor | undefined,
  sort: string,
  place: (row: Row) => { value: string; id: string },
): Cut<Row> {
  const more = rows.length > limit;
  const kept = rows.slice(0, limit);
  const back = cursor?.direction === "previous";
  const page = back ? kept.reverse() : kept;
  const first = page[0];
  const last = page.at(-1);
  const hasNext = back ? true : more;
  const hasPrevious = back ? more : cursor !== undefined;
  return {
    rows: page,
    next: hasNext && last !== undefined ? encodeCursor({ sort, direction: "next", ...place(last) }) : undefined,
    previous:
      hasPrevious && first !== undefined ? encodeCursor({ sort, direction: "previous", ...place(first) }) : undefined,
  };
}
