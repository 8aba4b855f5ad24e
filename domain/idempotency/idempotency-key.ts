/** Longest key, in characters, once its quotes and escapes are taken away. */
export const MAX_KEY_LENGTH = 255;

export type ParsedKey =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "missing" }
  | { readonly kind: "invalid"; readonly reason: string };

/** Nearly no line has blanks around it, and a replacement that finds nothing costs more than the rest, so they are looked for first. */
const SPACED = /^[ \t]|[ \t]$/;
/** Visible ASCII without comma, double quote, semicolon or space: what every common SDK sends. */
const BARE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]+$/;
/** A Structured Fields String (RFC 9651) with nothing behind it: no parameters, no second member. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * Reads `Idempotency-Key`. The quoted form `"abc"` and the bare form `abc` are the same key; inside quotes comma and space are
 * allowed. Two keys that a host or a proxy joined to one line with a comma are never one key: a quoted string ends with its quote.
 *
 * @param lines the value of every header line of that name; a host that has joined them passes one
 */
export function parseIdempotencyKey(lines: readonly string[]): ParsedKey {
  const [line, ...more] = lines;
  if (line === undefined) return { kind: "missing" };
  if (more.length > 0) return invalid("send the header once");
  const text = SPACED.test(line) ? line.replace(/^[ \t]+|[ \t]+$/g, "") : line;
  if (text === "") return invalid("it is empty");
  const key = text.startsWith('"') ? unquote(text) : BARE.test(text) ? text : undefined;
  if (key === undefined)
    return invalid("it must be one string of visible ASCII characters, quoted or bare, without parameters");
  if (key.trim() === "") return invalid("it is empty");
  if (key.length > MAX_KEY_LENGTH) return invalid(`it is longer than ${String(MAX_KEY_LENGTH)} characters`);
  return { kind: "key", key };
}

function unquote(text: string): string | undefined {
  const inside = QUOTED.exec(text)?.[1];
  return inside?.includes("\\") === true ? inside.replace(/\\(["\\])/g, "$1") : inside;
}

function invalid(reason: string): ParsedKey {
  return { kind: "invalid", reason };
}

/** Behind the key of a client that uses one which another client of the tenant has (db/operations/scoped_key.sql). */
const SCOPE_MARK = /·[0-9a-f]{12}$/;

/** @param key without the mark of an expired one @returns the key as its caller sent it */
export function callerKey(key: string): string {
  return key.replace(SCOPE_MARK, "");
}

/**
 * @param key as stored; an expired operation that made room for a new command carries a mark behind it
 * @returns the key before that (db/operations/set_aside_key.sql writes the mark)
 */
export function originalKey(key: string, operationId: string): string {
  const mark = ` (expired ${operationId})`;
  return key.endsWith(mark) ? key.slice(0, -mark.length) : key;
}
