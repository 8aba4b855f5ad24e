import { AppError } from "@/domain/errors";

/** Text of a field is cut to this; nothing that belongs into a line is longer. */
const FIELD_LIMIT = 160;
const LIST_LIMIT = 20;
const FRAMES = 8;
const MASK = "…";

/**
 * Everything that may stand in a log line: our name of a field, and its name in the line. A field that is not here is left out,
 * whatever it holds, so a new one is added here on purpose. None holds a key, a body, an account, a reference or a secret;
 * `idempotencyKey` is written as its keyed hash only.
 */
const FIELDS = {
  // Fields that alerts and searches rely on: their names stay.
  payloadHash: "payload_hash",
  status: "status",
  attempt: "attempt",
  fromState: "from_state",
  toState: "to_state",
  errorCode: "error_code",
  // What else a line about an operation says.
  operation: "operation",
  operationId: "operation_id",
  outcome: "outcome",
  requestId: "request_id",
  traceId: "trace_id",
  latencyMs: "latency_ms",
  leftOut: "left_out",
  by: "by",
  fence: "fence",
  stage: "stage",
  doing: "doing",
  finding: "finding",
  differingFields: "differing_fields",
  // Messages.
  outboxId: "outbox_id",
  inboxId: "inbox_id",
  topic: "topic",
  consumer: "consumer",
  source: "source",
  messageId: "message_id",
  position: "position",
  // Processes and their loops.
  process: "process",
  instance: "instance",
  part: "part",
  loop: "loop",
  pauseMs: "pause_ms",
  waiting: "waiting",
  rows: "rows",
  kind: "kind",
  purpose: "purpose",
  day: "day",
  entry: "entry",
  reason: "reason",
  code: "code",
  tenantId: "tenant",
  port: "port",
} as const;

type Plain = string | number | bigint | boolean | null | undefined;

/** What a log call may name; anything else does not compile, and is left out where it comes by a cast. */
export type LogFields = {
  readonly [Name in keyof typeof FIELDS]?: Plain | readonly string[];
} & {
  /** Whatever was thrown. Its text is kept only as far as it is ours. */
  readonly err?: unknown;
  /** The raw key; the line has its keyed hash. Needs `tenantId` beside it. */
  readonly idempotencyKey?: string | undefined;
};

/** Sentences; a provider's words may be among them. */
const FREE_TEXT: ReadonlySet<string> = new Set<keyof typeof FIELDS>(["finding", "reason"]);
const NAMES = new Map<string, string>(Object.entries(FIELDS));

/** @returns the fields of a line under their names there; everything unknown, nested or too long is gone. */
export function lineOf(fields: LogFields, keyHash: (tenantId: string, key: string) => string): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const written = NAMES.get(name);
    if (written === undefined) continue;
    const kept = plain(FREE_TEXT.has(name) && typeof value === "string" ? masked(value) : value);
    if (kept !== undefined) line[written] = kept;
  }
  if (typeof fields.idempotencyKey === "string") {
    line["idempotency_key_hash"] = keyHash(String(fields.tenantId ?? ""), fields.idempotencyKey);
  }
  if (fields.err !== undefined) line["err"] = errorLine(fields.err);
  return line;
}

function plain(value: unknown): unknown {
  switch (typeof value) {
    case "string":
      return cut(value);
    case "number":
      return Number.isInteger(value) ? value : Math.round(value * 1_000) / 1_000;
    case "bigint":
      return value.toString();
    case "boolean":
      return value;
    default:
      return Array.isArray(value)
        ? value.slice(0, LIST_LIMIT).flatMap((item) => (typeof item === "string" ? [cut(item)] : []))
        : undefined;
  }
}

function cut(text: string): string {
  return text.length <= FIELD_LIMIT ? text : `${text.slice(0, FIELD_LIMIT)}${MASK}`;
}

/** Errors whose text we or Node wrote. A database, a parser or a provider may quote in theirs what somebody sent. */
const KNOWN_TEXT: ReadonlySet<string> = new Set([
  "Error",
  "FencedError",
  "KeyDestroyedError",
  "TimeoutError",
  "AbortError",
]);
/** What PostgreSQL says besides the text: names of tables, columns and functions of ours. */
const DATABASE_NAMES = ["schema", "table", "column", "constraint", "routine", "severity"] as const;

/** @returns type, code, place, and the text of an error where it is ours: never a value that a caller sent. */
export function errorLine(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const members = error as Error & Readonly<Record<string, unknown>>;
  const line: Record<string, unknown> = { type: wordOf(error.name) ?? "Error" };
  const code = wordOf(members["code"]);
  if (code !== undefined) line["code"] = code;
  const text = textOf(error);
  if (text !== undefined) line["message"] = text;
  for (const name of DATABASE_NAMES) {
    const word = wordOf(members[name]);
    if (word !== undefined) line[name] = word;
  }
  line["at"] = framesOf(error);
  if (error.cause !== undefined && depth === 0) line["cause"] = errorLine(error.cause, depth + 1);
  return line;
}

function textOf(error: Error): string | undefined {
  if (error instanceof AppError) return cut(error.title);
  return KNOWN_TEXT.has(error.name) ? cut(masked(error.message)) : undefined;
}

/** Quoted parts, addresses and long runs without a space may be somebody's; what is left are our own words. */
function masked(text: string): string {
  return text
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|\([^)]*\)=\([^)]*\)/g, `"${MASK}"`)
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, MASK)
    .replaceAll(/\S+@\S+/g, MASK)
    .replaceAll(/[^\s,;:()]{41,}/g, MASK);
}

/** Frames name functions and files; the lines before them repeat the message. */
function framesOf(error: Error): string[] {
  return (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES)
    .map((line) => cut(line.trim().replace(/^at /, "")));
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z0-9_.:-]{1,64}$/.test(value) ? value : undefined;
}
