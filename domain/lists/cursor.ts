import { AppError } from "../errors";
import { UUID } from "../uuid";

/** Where a page of a list ends. `value` is the sort value as text (times with microseconds), `id` the unique tie-breaker. */
export interface Cursor {
  /** The sort this cursor was made for; another sort makes it void. */
  readonly sort: string;
  readonly direction: "next" | "previous";
  readonly value: string;
  readonly id: string;
}

/** Longest cursor that is looked at. */
const MAX_CURSOR_LENGTH = 600;

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

/** @returns undefined for anything that is not a cursor of this sort. */
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

/** The types of what a cursor carries: its sort value and its tie-breaker, as PostgreSQL is to read them. */
export interface CursorTypes {
  readonly type: "timestamptz" | "bigint";
  readonly idType: "uuid" | "bigint" | "text";
}

const FITS: Readonly<Record<CursorTypes["type"] | CursorTypes["idType"], (text: string) => boolean>> = {
  timestamptz: isMoment,
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  uuid: (text) => UUID.test(text),
  // No half of a pair, which no encoding has, and no control character.
  text: (text) => /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text),
};

/** @returns whether it is a moment that there is, as a cursor writes it: UTC, with microseconds */
export function isMoment(text: string): boolean {
  const [, toMillisecond] = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{3}Z$/.exec(text) ?? [];
  if (toMillisecond === undefined) return false;
  const read = new Date(`${toMillisecond}Z`);
  // The 31st of February is read as a day of March.
  return !Number.isNaN(read.getTime()) && read.toISOString() === `${toMillisecond}Z`;
}

/**
 * Reads the place in a list that a caller asks for. What is none of this list's never reaches the database.
 *
 * @param sort that the list has now: a cursor of another one names no place in it
 * @param fits the types of its parts, or whether it fits where they are none
 * @returns undefined where none is asked for: the list begins
 * @throws AppError `validation.cursor` 400
 */
export function readCursor(
  text: string | undefined,
  sort: string,
  fits: CursorTypes | ((cursor: Cursor) => boolean),
): Cursor | undefined {
  if (text === undefined || text === "") return undefined;
  const cursor = decodeCursor(text, sort);
  if (cursor !== undefined && (typeof fits === "function" ? fits(cursor) : isOf(cursor, fits))) return cursor;
  throw new AppError("validation.cursor", 400, "The cursor is none of this list", {
    detail: "Take it from next or previous of a page of the same list with the same sort, or leave it out to begin.",
  });
}

const isOf = ({ value, id }: Cursor, { type, idType }: CursorTypes): boolean => FITS[type](value) && FITS[idType](id);

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
