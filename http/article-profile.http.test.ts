import { expect } from "vitest";
import { profileSuite, type RenderedRefusal, type RefusedOutcome } from "./testing/profile-suite";
import type { Seen } from "./testing/outcomes";

/** A code and a message, and nothing else. */
function article(status: number, errorCode: string, message: unknown): (seen: Seen) => RenderedRefusal {
  return () => ({ status, body: { errorCode, message } });
}

const says = (part: string): unknown => expect.stringContaining(part);
const FUNDS = ["INSUFFICIENT_FUNDS", "The account has insufficient funds for this payment."] as const;
const MISMATCH = [
  "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
  "This idempotency key was already used with a different request.",
] as const;

const refusals: Record<RefusedOutcome, (seen: Seen) => RenderedRefusal> = {
  refused: article(402, ...FUNDS),
  refused_again: article(402, ...FUNDS),
  duplicate_reference: ({ first }) => ({
    status: 409,
    body: {
      errorCode: "PAYMENT_DUPLICATE_REFERENCE",
      message: says(`The first payment is ${String(first?.json?.["paymentId"])}.`),
    },
  }),
  conflict: article(409, ...MISMATCH),
  foreign_conflict: article(409, ...MISMATCH),
  in_flight: article(
    409,
    "IDEMPOTENCY_IN_PROGRESS",
    "A request of this key is in progress. Nothing was started a second time. Retry with the same key.",
  ),
  provider_timeout: article(504, "DEPENDENCY_TIMEOUT", says("The provider may have acted.")),
  unknown: article(409, "IDEMPOTENCY_OUTCOME_UNKNOWN", says("The provider may have acted.")),
  provider_away: article(503, "DEPENDENCY_UNAVAILABLE", says("Nothing took effect; retry with the same key.")),
  expired: article(410, "IDEMPOTENCY_KEY_EXPIRED", says("Nothing was executed.")),
  expired_long_ago: article(410, "IDEMPOTENCY_KEY_EXPIRED", says("Nothing was executed.")),
  purged: ({ first }) => ({
    status: 410,
    body: {
      errorCode: "IDEMPOTENCY_RESPONSE_PURGED",
      message: says(`It made the payment ${String(first?.json?.["paymentId"])}.`),
    },
  }),
  too_large: ({ first }) => ({
    status: 410,
    body: {
      errorCode: "IDEMPOTENCY_RESPONSE_TOO_LARGE",
      message: says(`It made the payment ${String(first?.json?.["paymentId"])}.`),
    },
  }),
  exhausted: article(409, "IDEMPOTENCY_ATTEMPTS_EXHAUSTED", says("a new key is safe.")),
  key_missing: article(400, "IDEMPOTENCY_KEY_MISSING", says("Nothing was recorded.")),
  key_invalid: article(400, "IDEMPOTENCY_KEY_INVALID", says("Nothing was recorded.")),
  malformed: article(400, "VALIDATION_JSON", says("not valid JSON")),
  validation: article(
    422,
    "VALIDATION_BODY",
    "The command is not valid: accountId: 1 to 128 visible ASCII characters; currency: three capital letters, ISO 4217.",
  ),
  not_found: article(404, "PAYMENT_NOT_FOUND", "There is no such payment."),
  forbidden: article(403, "AUTH_FORBIDDEN", says("scopes is needed: payments.")),
  rate_limit: article(429, "RATE_LIMIT_EXCEEDED", says("Nothing was recorded")),
  database_away: article(
    503,
    "DEPENDENCY_UNAVAILABLE",
    "The database is not available. The database cannot be reached or did not answer in time. Retry with the same key.",
  ),
};

profileSuite("article", "application/json", refusals);
