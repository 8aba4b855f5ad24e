import type { Queryable } from "@/db/client";

/** A statement whose parameters are texts, and whose one column `row` is text too: every driver reads and writes that the same. */
export interface TextStatement {
  /** For drivers that keep prepared statements by name. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** What a row of a {@link TextStatement} looks like; a statement that only commands has none. */
export type TextRow = Readonly<Record<string, unknown>>;

type Config = Parameters<Queryable["query"]>[0];

/** Arguments of `claim` and `complete` that are no text, without the `p_`. */
export const ARGUMENT_TYPES: Readonly<Record<string, string>> = {
  operation_id: "uuid",
  event_id: "uuid",
  fingerprint: "bytea",
  command: "bytea",
  body: "bytea",
  served_hash: "bytea",
  identity_hash: "bytea",
  fingerprint_version: "integer",
  lease_ms: "integer",
  ttl_seconds: "integer",
  metadata_days: "integer",
  max_attempts: "integer",
  fence: "integer",
  status: "integer",
  attempt: "integer",
  latency_ms: "integer",
  amount: "bigint",
  headers: "jsonb",
  outbox: "jsonb",
  asked_at: "timestamptz",
};
const TIMES: ReadonlySet<string> = new Set(["created_at", "completed_at", "expires_at", "locked_until", "asked_at"]);
const BYTES: ReadonlySet<string> = new Set(["fingerprint", "command", "body"]);
const ARGUMENT = /p_([a-z_]+) => \$(\d+)/g;

/** By the engine's own text; there are two: only `claim` and `complete` are called in the caller's transaction. */
const texts = new Map<string, string>();

/**
 * The engine's call of a function as a statement of texts. Drivers differ in how they write a Buffer, a number or a JSON text and
 * in how they read a time or a bytea; a cast in the statement leaves them nothing to differ in.
 */
export function textStatement({ name = "", text, values = [] }: Config): TextStatement {
  let whole = texts.get(text);
  if (whole === undefined) {
    const call = text.replace(ARGUMENT, (_all, argument: string, index: string) => {
      return `p_${argument} => ${castOf(ARGUMENT_TYPES[argument] ?? "text", `$${index}::text`)}`;
    });
    whole = `select to_jsonb(r)::text as "row" from (${call}) r`;
    texts.set(text, whole);
  }
  return { name: `onceboard_${name}`, text: whole, values: values.map(textOf) };
}

function castOf(type: string, parameter: string): string {
  if (type === "text") return parameter;
  return type === "bytea" ? `decode(${parameter}, 'hex')` : `(${parameter})::${type}`;
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Buffer.isBuffer(value)) return value.toString("hex");
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  throw new TypeError("an argument of this type has no text");
}

/** @returns the row as PostgreSQL's driver reads it */
export function rowOf({ row }: TextRow): Readonly<Record<string, unknown>> {
  const members = JSON.parse(String(row)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== "string") continue;
    if (TIMES.has(name)) members[name] = new Date(value);
    else if (BYTES.has(name)) members[name] = Buffer.from(value.slice("\\x".length), "hex");
  }
  return members;
}
