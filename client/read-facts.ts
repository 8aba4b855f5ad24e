import { type ClientAnswerFacts, IN_PROGRESS, KEY_EXPIRED, MISMATCH, OUTCOME_UNKNOWN, retryAfterMs } from "./schedule";

const RESPONSE_PURGED = "idempotency.response_purged";
const RESPONSE_TOO_LARGE = "idempotency.response_too_large";
/** The answer of a settled operation is gone; its outcome is known. */
export const GONE_CODES: readonly (string | undefined)[] = [RESPONSE_PURGED, RESPONSE_TOO_LARGE];

const SHOUTED = [IN_PROGRESS, OUTCOME_UNKNOWN, MISMATCH, KEY_EXPIRED, RESPONSE_PURGED, RESPONSE_TOO_LARGE] as const;

/** What the profiles `fault` and `article`, and the mesh, call the codes that decide something here. */
const CODE_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SHOUTED.map((code) => [code.replaceAll(".", "_").toUpperCase(), code])),
  IDEMPOTENCY_CONFLICT: MISMATCH,
  IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST: MISMATCH,
  IDEMPOTENCY_PROCESSING: IN_PROGRESS,
};
/** The profile `playbook` puts a class in front of a code: `CONFLICT.idempotency.payload_mismatch`. */
const CLASS = /^[A-Z_]+\.(?=idempotency\.)/;

const OPERATION_PATH = /\/operations\/([0-9a-zA-Z-]{1,64})$/;

/**
 * Reads one answer: from the members of the default profile, from those of the others, and where a body says nothing, from
 * status and headers alone.
 *
 * @param body parsed, `undefined` when it was no JSON
 * @param nowMs our own time, for an answer without a `Date`
 */
export function readFacts(response: Response, body: unknown, nowMs: number): ClientAnswerFacts {
  const { status, headers } = response;
  const inner = innermost(body);
  const outer = membersOf(body);
  const operationId =
    headers.get("operation-id") ?? textOf(outer["operationId"]) ?? textOf(outer["operation_id"]) ?? undefined;
  const code = codeOf(outer, inner, headers);
  const dated = Date.parse(headers.get("date") ?? "");
  const location = headers.get("location") ?? "";
  return {
    status,
    code,
    detail: firstText(inner["detail"], inner["message"], inner["description"], inner["title"]),
    retryable: firstBoolean(outer["retryable"], inner["retryable"]),
    mayRetry: forbids(headers) ? false : undefined,
    retryAfterMs: retryAfterMs(headers.get("retry-after"), Number.isNaN(dated) ? nowMs : dated) ?? meshWait(inner),
    operationId,
    differingFields: textsOf(outer["differingFields"] ?? outer["differing_fields"]),
    speaksForKey: operationId !== undefined || headers.has("idempotency-status") || code === MISMATCH,
    replayed: headers.get("idempotent-replayed") === "true" || headers.get("idempotency-status") === "replayed",
    // With a status of its key it is the answer of the operation itself: accepted for later work, and final here.
    acceptedAs: status === 202 && !headers.has("idempotency-status") ? OPERATION_PATH.exec(location)?.[1] : undefined,
    requestId: headers.get("request-id") ?? undefined,
    sameKey: textOf(membersOf(outer["retry"])["sameKey"]),
  };
}

function forbids(headers: Headers): boolean {
  return headers.get("x-should-retry") === "false" || headers.get("stripe-should-retry") === "false";
}

/** `{fault:{errors:[…]}}`, `{errors:[…]}` and `{error:{…}}` hold what the other profiles say at the top. */
function innermost(body: unknown): Readonly<Record<string, unknown>> {
  const outer = membersOf(body);
  const fault = membersOf(outer["fault"]);
  const list = fault["errors"] ?? outer["errors"];
  if (outer["code"] === undefined && Array.isArray(list)) return membersOf(list[0]);
  return typeof outer["error"] === "object" ? membersOf(outer["error"]) : outer;
}

function codeOf(
  outer: Readonly<Record<string, unknown>>,
  inner: Readonly<Record<string, unknown>>,
  headers: Headers,
): string | undefined {
  const name = firstText(outer["error_code"], inner["code"], inner["errorCode"], headers.get("error-code"));
  return name === undefined ? undefined : (CODE_NAMES[name] ?? name.replace(CLASS, ""));
}

const UNIT_MS: Readonly<Record<string, number>> = { millisecond: 1, second: 1_000, minute: 60_000 };

/** The mesh says how long to wait in its body. */
function meshWait(inner: Readonly<Record<string, unknown>>): number | undefined {
  const { value, unit } = membersOf(membersOf(inner["details"])["retry_after"]);
  const unitMs = UNIT_MS[textOf(unit) ?? ""];
  return typeof value === "number" && value >= 0 && unitMs !== undefined ? value * unitMs : undefined;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

function firstBoolean(...values: readonly unknown[]): boolean | undefined {
  return values.find((value): value is boolean => typeof value === "boolean");
}
