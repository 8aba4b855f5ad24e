import { isLosslessNumber, isSafeNumber } from "lossless-json";
import { exactDigits, parseExact } from "../idempotency/exact-json";

/** A dead message whose body a person corrects is sent as a new message that names the old one. What such a body may be; pure. */

/** Bytes of a corrected body: written into a request as a text, it still fits the limit of a request. */
export const CORRECTION_MAX_BYTES = 128 * 1_024;
/** Levels of a body that can be edited; deeper ones are no messages of ours. */
const MAX_DEPTH = 32;
/** Places where both bodies differ, all of which whoever agrees looks at; more make another message, not a correction. */
export const CORRECTION_MAX_CHANGES = 200;
export const CHANGE_KINDS = ["changed", "added", "removed"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One place where two bodies differ; never a value. */
export interface ChangedPath {
  /** `data.lines[2].amount`; the body as a whole is `body`. */
  readonly path: string;
  readonly kind: ChangeKind;
}

/** With the values as JSON, every digit as it was written. */
export interface BodyChange extends ChangedPath {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Why a body cannot be sent in place of another; `paths` names where, if it is about a part. */
export interface BodyProblem {
  readonly code: "too_large" | "not_json" | "unchanged" | "kept" | "inexact" | "not_storable" | "too_many";
  readonly text: string;
  readonly paths?: readonly string[] | undefined;
}

/** The message that a body belongs to. */
export interface CorrectedMessage {
  /** Its body as JSON, digits as they are stored. */
  readonly body: string;
  readonly operationId?: string | undefined;
}

/**
 * Compares a corrected body with the stored one and says whether it may be sent.
 * @param text as a person wrote it
 */
export function checkCorrection(
  message: CorrectedMessage,
  text: string,
):
  | { readonly problem: BodyProblem; readonly changes: readonly BodyChange[] }
  | { readonly problem: undefined; readonly changes: readonly BodyChange[] } {
  const refused = (problem: BodyProblem, changes: readonly BodyChange[] = []) => ({ problem, changes });
  if (new TextEncoder().encode(text).length > CORRECTION_MAX_BYTES) return refused(TOO_LARGE);
  const read = readBody(text);
  if ("problem" in read) return refused(read.problem);
  const before = parseExact(message.body);
  const changes = bodyChanges(before, read.body);
  const bad = unsendable(read.body, text);
  if (bad !== undefined) return refused(bad, changes);
  if (changes.length === 0) return refused(UNCHANGED);
  if (changes.length > CORRECTION_MAX_CHANGES) return refused(TOO_MANY, changes);
  if (sameWhenSent(message.body, text)) return refused(SAME_NUMBERS, changes);
  const kept = changes.map(({ path }) => path).filter((path) => isKept(message, before, path));
  if (kept.length > 0) return refused({ ...KEPT, paths: kept }, changes);
  return { problem: undefined, changes };
}

const TOO_LARGE: BodyProblem = {
  code: "too_large",
  text: `The body is larger than ${String(CORRECTION_MAX_BYTES / 1_024)} KiB.`,
};
const TOO_MANY: BodyProblem = {
  code: "too_many",
  text: `More than ${String(CORRECTION_MAX_CHANGES)} places differ: that is another message, not a correction.`,
};
const UNCHANGED: BodyProblem = { code: "unchanged", text: "Nothing is changed yet." };
const SAME_NUMBERS: BodyProblem = {
  code: "unchanged",
  text: "Only numbers differ, and they would be sent as before.",
};
const KEPT: BodyProblem = {
  code: "kept",
  text: "What names a message or its operation stays as it is, and of an event all but its data.",
};

function readBody(text: string): { readonly body: unknown } | { readonly problem: BodyProblem } {
  try {
    const body = parseExact(text);
    if (depthOf(body) <= MAX_DEPTH) return { body };
    return { problem: { code: "not_storable", text: `It is nested deeper than ${String(MAX_DEPTH)} levels.` } };
  } catch (error) {
    const why = error instanceof SyntaxError ? `: ${error.message}` : "";
    return { problem: { code: "not_json", text: `This is not valid JSON${why}.` } };
  }
}

function depthOf(value: unknown): number {
  if (!isContainer(value)) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Numbers that would lose digits on their way, and texts that the database cannot hold. */
function unsendable(body: unknown, text: string): BodyProblem | undefined {
  const inexact: string[] = [];
  walk(body, "", (value, path) => {
    if (isLosslessNumber(value) && !isSafeNumber(value.value)) inexact.push(path);
  });
  if (inexact.length > 0) {
    return {
      code: "inexact",
      text: "A number may change when it is sent: write it as a text.",
      paths: inexact,
    };
  }
  return hasUnstorable(text) ? NOT_STORABLE : undefined;
}

const NOT_STORABLE: BodyProblem = {
  code: "not_storable",
  text: "It has a character or a name that a message cannot hold: U+0000, half a surrogate pair, __proto__.",
};
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

/** Also the name that an object cannot have as a member of its own, which a comparison would miss. */
function hasUnstorable(json: string): boolean {
  let found = false;
  JSON.parse(json, (name: string, value: unknown) => {
    found ||= name === "__proto__" || UNSTORABLE.test(name) || (typeof value === "string" && UNSTORABLE.test(value));
    return value;
  });
  return found;
}

/** Messages are sent with the numbers of JavaScript, whatever their notation was. */
function sameWhenSent(before: string, after: string): boolean {
  return bodyChanges(JSON.parse(before), JSON.parse(after)).length === 0;
}

/**
 * Of an event of ours only the data may change; of other bodies anything but what names the message. Everywhere the link to the
 * operation stays.
 */
function isKept({ operationId }: CorrectedMessage, before: unknown, path: string): boolean {
  const event = isEvent(before);
  if (event && path !== "data" && !/^data[.[]/.test(path)) return true;
  if (!event && KEPT_MEMBERS.has(path)) return true;
  return operationId !== undefined && valueAt(before, event ? "data" : undefined)?.["operationId"] === operationId
    ? path === (event ? "data.operationId" : "operationId") || path === (event ? "data" : "body")
    : false;
}

const KEPT_MEMBERS: ReadonlySet<string> = new Set(["id", "type", "tenant", "specversion", "source"]);

function isEvent(body: unknown): boolean {
  return isContainer(body) && !Array.isArray(body) && "data" in body && "type" in body;
}

function valueAt(body: unknown, member: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const value = member === undefined || !isContainer(body) ? body : (body as Readonly<Record<string, unknown>>)[member];
  return isContainer(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
}

/** Where two JSON documents differ, field by field, in the order of the first, then what the second adds. Numbers by their digits. */
export function bodyChanges(before: unknown, after: unknown): readonly BodyChange[] {
  const changes: BodyChange[] = [];
  compare(before, after, "", changes);
  return changes;
}

function compare(before: unknown, after: unknown, path: string, into: BodyChange[]): void {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const at = Array.isArray(before) ? `${path}[${name}]` : nameIn(path, name);
      if (!now.has(name)) into.push({ path: at, kind: "removed", before: jsonOf(old.get(name)) });
      else if (!old.has(name)) into.push({ path: at, kind: "added", after: jsonOf(now.get(name)) });
      else compare(old.get(name), now.get(name), at, into);
    }
    return;
  }
  const [first, second] = [jsonOf(before), jsonOf(after)];
  if (first !== second) into.push({ path: path === "" ? "body" : path, kind: "changed", before: first, after: second });
}

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** A name that would read as more than one step is written as JSON: `data["a.b"]`. */
function nameIn(path: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

function walk(value: unknown, path: string, visit: (value: unknown, path: string) => void): void {
  visit(value, path === "" ? "body" : path);
  if (!isContainer(value)) return;
  for (const [name, member] of Object.entries(value))
    walk(member, Array.isArray(value) ? `${path}[${name}]` : nameIn(path, name), visit);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && exactDigits(value) === undefined;
}

function jsonOf(value: unknown): string {
  const digits = exactDigits(value);
  if (digits !== undefined) return digits;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(",")}]`;
  if (isContainer(value))
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`)
      .join(",")}}`;
  return JSON.stringify(value);
}
