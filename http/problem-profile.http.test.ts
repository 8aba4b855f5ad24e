import { matches, profileSuite, type RenderedRefusal, type RefusedOutcome } from "./testing/profile-suite";
import type { Seen } from "./testing/outcomes";

/** A problem document with everything that is in it. */
function problem(
  code: string,
  status: number,
  members: Readonly<Record<string, unknown>> = {},
  retryable = false,
): (seen: Seen) => RenderedRefusal {
  return (seen) => ({
    status,
    body: {
      type: `/api/v1/docs#error-${code.replaceAll(".", "-")}`,
      title: matches(/^[A-Z].+[^.]$/),
      status,
      detail: matches(/^[A-Z]/),
      instance: `urn:onceboard:request:${String(seen.answer.headers["request-id"])}`,
      code,
      retryable,
      ...members,
    },
  });
}

/** With the operation of the key named. */
function known(
  code: string,
  status: number,
  operationState: string,
  members: Readonly<Record<string, unknown>> = {},
  retryable = false,
): (seen: Seen) => RenderedRefusal {
  return (seen) =>
    problem(
      code,
      status,
      { ...members, operationId: seen.answer.headers["operation-id"], operationState },
      retryable,
    )(seen);
}

/** The answer of its key for good: named by the operation. */
function kept(
  code: string,
  status: number,
  members: (seen: Seen) => Record<string, unknown>,
): (seen: Seen) => RenderedRefusal {
  return (seen) => {
    const operationId = seen.answer.headers["operation-id"];
    const own = { instance: `urn:onceboard:operation:${String(operationId)}`, operationId, ...members(seen) };
    return problem(code, status, own)(seen);
  };
}

const refusals: Record<RefusedOutcome, (seen: Seen) => RenderedRefusal> = {
  refused: kept("payment.insufficient_funds", 402, () => ({})),
  refused_again: kept("payment.insufficient_funds", 402, () => ({})),
  duplicate_reference: kept("payment.duplicate_reference", 409, ({ first }) => ({
    paymentId: first?.json?.["paymentId"],
    paymentStatus: "succeeded",
    paymentOperationId: first?.headers["operation-id"],
  })),
  conflict: known("idempotency.payload_mismatch", 409, "COMPLETED", { differingFields: ["amount"], safeNewKey: true }),
  foreign_conflict: problem("idempotency.payload_mismatch", 409, { differingFields: [], safeNewKey: true }),
  in_flight: known("idempotency.in_progress", 409, "IN_PROGRESS", { safeNewKey: false }, true),
  provider_timeout: known("dependency.timeout", 504, "UNKNOWN_REQUIRES_RECOVERY", {}, true),
  unknown: known("idempotency.outcome_unknown", 409, "UNKNOWN_REQUIRES_RECOVERY", { safeNewKey: false }, true),
  provider_away: known("dependency.unavailable", 503, "FAILED_RETRYABLE", {}, true),
  expired: known("idempotency.key_expired", 410, "COMPLETED", { safeNewKey: false }),
  expired_long_ago: problem("idempotency.key_expired", 410, { safeNewKey: false }),
  purged: (seen) => {
    const resource = { type: "payment", id: seen.first?.json?.["paymentId"] };
    return known("idempotency.response_purged", 410, "COMPLETED", { safeNewKey: false, resource })(seen);
  },
  too_large: (seen) => {
    const resource = { type: "payment", id: seen.first?.json?.["paymentId"] };
    return known("idempotency.response_too_large", 410, "COMPLETED", { safeNewKey: false, resource })(seen);
  },
  exhausted: known("idempotency.attempts_exhausted", 409, "FAILED_RETRYABLE", { safeNewKey: true }),
  key_missing: problem("idempotency.key_missing", 400, { help: "/api/v1/docs#idempotency-key" }),
  key_invalid: problem("idempotency.key_invalid", 400, { help: "/api/v1/docs#idempotency-key" }),
  malformed: problem("validation.json", 400),
  validation: problem("validation.body", 422, {
    errors: [
      { path: "accountId", message: "1 to 128 visible ASCII characters" },
      { path: "currency", message: "three capital letters, ISO 4217" },
    ],
  }),
  not_found: problem("payment.not_found", 404),
  forbidden: problem("auth.forbidden", 403, { requiredScopes: ["payments"] }),
  rate_limit: problem("rate_limit.exceeded", 429, { limit: "calls" }, true),
  database_away: problem("dependency.unavailable", 503, { dependency: "database" }, true),
};

profileSuite("problem", "application/problem+json", refusals);
