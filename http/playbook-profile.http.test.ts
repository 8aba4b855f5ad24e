import { matches, profileSuite, type RenderedRefusal, type RefusedOutcome } from "./testing/profile-suite";
import type { Seen } from "./testing/outcomes";

type Members = Readonly<Record<string, unknown>>;

/** The body of the profile `playbook`: code, class, hint, and the code that is the same in every profile. */
function told(
  errorCode: string,
  [code, hint]: readonly [code: string, hint: string],
  status: number,
  members: Members | ((seen: Seen) => Members) = {},
  retryable = false,
): (seen: Seen) => RenderedRefusal {
  return (seen) => ({
    status,
    headers: { "error-code": errorCode },
    body: {
      code,
      category: code.split(".")[0],
      error_code: errorCode,
      message: matches(/^[A-Z].+\.$/),
      retryable,
      hint,
      request_id: seen.answer.headers["request-id"],
      ...(typeof members === "function" ? members(seen) : members),
    },
  });
}

const operation =
  (operation_state: string, members: Members | ((seen: Seen) => Members) = {}) =>
  (seen: Seen): Members => ({
    operation_id: seen.answer.headers["operation-id"],
    operation_state,
    ...(typeof members === "function" ? members(seen) : members),
  });

/** The answer of its key for good: nothing of the request is in it. */
function kept(
  errorCode: string,
  code: readonly [string, string],
  status: number,
  members: (seen: Seen) => Members = () => ({}),
): (seen: Seen) => RenderedRefusal {
  return (seen) => {
    const { headers, body } = told(errorCode, code, status)(seen);
    const { request_id: _request, ...rest } = body as Record<string, unknown>;
    const operation_id = seen.answer.headers["operation-id"];
    return { status, ...(headers && { headers }), body: { ...rest, operation_id, ...members(seen) } };
  };
}

const FUNDS = ["PROVIDER.payment.insufficient_funds", "Final; a new try is a new key"] as const;
const MISMATCH = ["CONFLICT.idempotency.payload_mismatch", "Generate new key"] as const;
const LOOK = "Look at the operation before you send anything again";
const KEY_HELP = { help: "/api/v1/docs#idempotency-key" };
const OPEN = { safe_new_key: false };

/** What every refusal looks like in the profile `playbook`: codes and hints. */
const refusals: Record<RefusedOutcome, (seen: Seen) => RenderedRefusal> = {
  refused: kept("payment.insufficient_funds", FUNDS, 402),
  refused_again: kept("payment.insufficient_funds", FUNDS, 402),
  duplicate_reference: kept(
    "payment.duplicate_reference",
    ["PROVIDER.duplicate", "Surface existing result"],
    409,
    ({ first }) => ({
      payment_id: first?.json?.["paymentId"],
      payment_status: "succeeded",
      payment_operation_id: first?.headers["operation-id"],
    }),
  ),
  conflict: told(
    "idempotency.payload_mismatch",
    MISMATCH,
    409,
    operation("COMPLETED", { differing_fields: ["amount"], safe_new_key: true }),
  ),
  foreign_conflict: told("idempotency.payload_mismatch", MISMATCH, 409, { differing_fields: [], safe_new_key: true }),
  in_flight: told(
    "idempotency.in_progress",
    ["TRANSIENT.idempotency.in_progress", "Retry"],
    409,
    operation("IN_PROGRESS", OPEN),
    true,
  ),
  provider_timeout: told(
    "dependency.timeout",
    ["DEPENDENCY.timeout", "Retry with backoff"],
    504,
    operation("UNKNOWN_REQUIRES_RECOVERY"),
    true,
  ),
  unknown: told(
    "idempotency.outcome_unknown",
    ["TRANSIENT.idempotency.outcome_unknown", "Retry"],
    409,
    operation("UNKNOWN_REQUIRES_RECOVERY", OPEN),
    true,
  ),
  provider_away: told(
    "dependency.unavailable",
    ["DEPENDENCY.unavailable", "Retry"],
    503,
    operation("FAILED_RETRYABLE"),
    true,
  ),
  expired: told(
    "idempotency.key_expired",
    ["CONFLICT.idempotency.key_expired", LOOK],
    410,
    operation("COMPLETED", OPEN),
  ),
  expired_long_ago: told("idempotency.key_expired", ["CONFLICT.idempotency.key_expired", LOOK], 410, OPEN),
  purged: told(
    "idempotency.response_purged",
    ["CONFLICT.idempotency.response_purged", LOOK],
    410,
    operation("COMPLETED", ({ first }) => ({ ...OPEN, resource: { type: "payment", id: first?.json?.["paymentId"] } })),
  ),
  too_large: told(
    "idempotency.response_too_large",
    ["CONFLICT.idempotency.response_too_large", LOOK],
    410,
    operation("COMPLETED", ({ first }) => ({ ...OPEN, resource: { type: "payment", id: first?.json?.["paymentId"] } })),
  ),
  exhausted: told(
    "idempotency.attempts_exhausted",
    ["CONFLICT.idempotency.attempts_exhausted", "Generate new key"],
    409,
    operation("FAILED_RETRYABLE", { safe_new_key: true }),
  ),
  key_missing: told("idempotency.key_missing", ["VALIDATION.idempotency.key_missing", "Fix input"], 400, KEY_HELP),
  key_invalid: told("idempotency.key_invalid", ["VALIDATION.idempotency.key_invalid", "Fix input"], 400, KEY_HELP),
  malformed: told("validation.json", ["VALIDATION.json", "Fix input"], 400),
  validation: told("validation.body", ["VALIDATION.body", "Fix input"], 422, {
    errors: [
      { path: "accountId", message: "1 to 128 visible ASCII characters" },
      { path: "currency", message: "three capital letters, ISO 4217" },
    ],
  }),
  not_found: told("payment.not_found", ["VALIDATION.payment.not_found", "Fix input"], 404),
  forbidden: told("auth.forbidden", ["AUTH.forbidden", "Re-auth or permission"], 403, {
    required_scopes: ["payments"],
  }),
  rate_limit: told("rate_limit.exceeded", ["RATE_LIMIT.exceeded", "Wait & retry"], 429, { limit: "calls" }, true),
  database_away: told(
    "dependency.unavailable",
    ["DEPENDENCY.unavailable", "Retry"],
    503,
    { dependency: "database" },
    true,
  ),
};

profileSuite("playbook", "application/json", refusals);
