import { AppError } from "@/domain/errors";
import { UUID } from "@/domain/uuid";
import { MAX_SOURCE_CURSOR } from "./limits";

/** A place in a list of an attachment, as an address carries it. */
export interface SourceCursor {
  /** What is older, what is newer, or the row itself. */
  readonly side: "older" | "newer" | "row";
  /** Order columns of a row, as text. */
  readonly place: readonly string[];
  /** Of a row itself. */
  readonly id: string;
}

const SIDES = { o: "older", n: "newer", r: "row" } as const;

/** @returns opaque text for a URL */
export function encodePlace(
  view: string,
  side: SourceCursor["side"],
  place: readonly string[],
  id: string = "",
): string {
  return Buffer.from(JSON.stringify([view, side.slice(0, 1), id, ...place])).toString("base64url");
}

/**
 * Reads the place that a caller asks for. What is none of this list never reaches anybody's database.
 *
 * @param types of the order columns of the list
 * @returns undefined where none is asked for
 * @throws AppError `validation.cursor` 400
 */
export function readPlace(
  text: string | undefined,
  view: string,
  types: readonly string[],
  sides: readonly SourceCursor["side"][],
): SourceCursor | undefined {
  if (text === undefined || text === "") return undefined;
  const cursor = decode(text, view);
  if (cursor === undefined || !sides.includes(cursor.side) || cursor.place.length !== types.length) throw noPlace();
  if (!cursor.place.every((value, index) => fits(value, types[index] ?? ""))) throw noPlace();
  return cursor;
}

/**
 * Refuses what is no place of this list at all, before its database is asked.
 *
 * @throws AppError `validation.cursor` 400
 */
export function requirePlace(text: string | undefined, view: string): void {
  if (text !== undefined && text !== "" && decode(text, view) === undefined) throw noPlace();
}

export function noPlace(): AppError {
  return new AppError("validation.cursor", 400, "The cursor is none of this list", {
    detail: "Take it from next or previous of a page of the same list with the same sort, or leave it out to begin.",
  });
}

function decode(text: string, view: string): SourceCursor | undefined {
  if (text.length > MAX_SOURCE_CURSOR || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const bytes = Buffer.from(text, "base64url");
    const parts: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string" && isText(part))) return undefined;
    const [made, side = "", id = "", ...place] = parts as readonly string[];
    if (made !== view || !Object.hasOwn(SIDES, side)) return undefined;
    return { side: SIDES[side as keyof typeof SIDES], place, id };
  } catch {
    return undefined;
  }
}

/** The least and the greatest that each type has, by its bits. */
const BITS: Readonly<Record<string, number>> = { smallint: 15, integer: 31, bigint: 63 };
const NUMERIC = /^-?\d{1,1000}(?:\.\d{1,1000})?$/;
const MOMENT =
  /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?(?:[+-]\d\d(?::[0-5]\d(?::[0-5]\d)?)?)?( BC)?$/;

/** Whether PostgreSQL reads the text as a value of the type. What is of another type than these is taken for text. */
function fits(value: string, type: string): boolean {
  const bits = BITS[type];
  if (bits !== undefined) {
    if (!/^-?\d{1,19}$/.test(value)) return false;
    const bound = 2n ** BigInt(bits);
    return BigInt(value) >= -bound && BigInt(value) < bound;
  }
  if (type === "numeric") return NUMERIC.test(value);
  if (type === "uuid") return UUID.test(value);
  if (type.startsWith("timestamp")) return isTime(value);
  return true;
}

function isTime(value: string): boolean {
  if (value === "infinity" || value === "-infinity") return true;
  const [, ...parts] = MOMENT.exec(value) ?? [];
  const [year = 0, month = 0, day = 0, hour = 24, minute = 60, second = 60] = parts.slice(0, 6).map(Number);
  if (year < 1 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return false;
  // Of a year before Christ the 29th of February is let through: PostgreSQL alone knows.
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return day >= 1 && day <= days;
}

/** No half of a pair, which no encoding has, and no NUL, which PostgreSQL has not. */
const isText = (value: string): boolean => !/\p{Cs}/u.test(value) && !value.includes("\0");
