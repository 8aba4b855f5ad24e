import { UUIDS } from "../uuid";

/** Longest error text that is kept beside a message. */
export const ERROR_TEXT_LIMIT = 500;
const SHAPE_LIMIT = 160;

/**
 * What two errors have in common when only ids, numbers, addresses and quoted values differ: dead letters are grouped by
 * it. A pure function of place, code and text; not a secret, not reversible to a value.
 *
 * @param place topic or consumer
 * @param code stable error code
 * @param text the error as it is kept
 * @returns `code:` and eight hexadecimal digits
 */
export function errorFingerprint(place: string, code: string, text: string): string {
  return `${code}:${hash(`${place}\n${code}\n${shapeOf(text)}`)}`;
}

/** The text without what changes from one occurrence to the next. */
function shapeOf(text: string): string {
  return text
    .replace(UUIDS, "<id>")
    .replace(/\b[a-z]+_[0-9a-z_-]*\d[0-9a-z_-]*\b/gi, "<id>")
    .replace(/"[^"]*"|'[^']*'/g, "<text>")
    .replace(/\d+/g, "<n>")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .slice(0, SHAPE_LIMIT);
}

/** FNV-1a, 32 bit: groups, not security. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value ^= text.charCodeAt(index);
    value = Math.imul(value, 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, "0");
}
