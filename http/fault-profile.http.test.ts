import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WireProfile } from "@/domain/access/permission";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { profileSuite, type RenderedRefusal, type RefusedOutcome } from "./testing/profile-suite";
import type { Seen } from "./testing/outcomes";
import { payment, tillOf } from "./testing/till";

type Entry = readonly [errorCode: string, description: unknown];

const faultOf = (id: string, errors: readonly Entry[]) => ({
  fault: {
    faultId: id,
    traceId: id.replaceAll("-", ""),
    errors: errors.map(([errorCode, description]) => ({ errorCode, description })),
  },
});

/** One occurrence, found by the request. */
function fault(status: number, ...errors: readonly Entry[]): (seen: Seen) => RenderedRefusal {
  return ({ answer }) => ({ status, body: faultOf(String(answer.headers["request-id"]), errors) });
}

/** The answer of its key for good: one occurrence, found by the operation. */
function kept(status: number, entry: (seen: Seen) => Entry): (seen: Seen) => RenderedRefusal {
  return (seen) => ({ status, body: faultOf(String(seen.answer.headers["operation-id"]), [entry(seen)]) });
}

const says = (part: string): unknown => expect.stringContaining(part);
const FUNDS: Entry = ["PAYMENT_INSUFFICIENT_FUNDS", "The account has insufficient funds."];
const MISMATCH: Entry = ["IDEMPOTENCY_CONFLICT", "An Idempotency-Key may not be reused with a different request body."];

const refusals: Record<RefusedOutcome, (seen: Seen) => RenderedRefusal> = {
  refused: kept(402, () => FUNDS),
  refused_again: kept(402, () => FUNDS),
  duplicate_reference: kept(409, ({ first }) => [
    "PAYMENT_DUPLICATE_REFERENCE",
    says(`The first payment is ${String(first?.json?.["paymentId"])}.`),
  ]),
  conflict: fault(422, MISMATCH),
  foreign_conflict: fault(422, MISMATCH),
  in_flight: fault(409, [
    "IDEMPOTENCY_IN_PROGRESS",
    "A request of this key is in progress. Nothing was started a second time. Retry with the same key. Retry after 2 seconds.",
  ]),
  provider_timeout: fault(504, ["DEPENDENCY_TIMEOUT", says("Retry after 2 seconds.")]),
  unknown: fault(409, ["IDEMPOTENCY_OUTCOME_UNKNOWN", says("Retry after 60 seconds.")]),
  provider_away: fault(503, ["DEPENDENCY_UNAVAILABLE", says("Retry after 1 second.")]),
  expired: fault(410, ["IDEMPOTENCY_KEY_EXPIRED", says("Nothing was executed.")]),
  expired_long_ago: fault(410, ["IDEMPOTENCY_KEY_EXPIRED", says("Nothing was executed.")]),
  purged: (seen) =>
    fault(410, [
      "IDEMPOTENCY_RESPONSE_PURGED",
      says(`It made the payment ${String(seen.first?.json?.["paymentId"])}.`),
    ])(seen),
  too_large: (seen) =>
    fault(410, [
      "IDEMPOTENCY_RESPONSE_TOO_LARGE",
      says(`It made the payment ${String(seen.first?.json?.["paymentId"])}.`),
    ])(seen),
  exhausted: fault(409, ["IDEMPOTENCY_ATTEMPTS_EXHAUSTED", says("a new key is safe.")]),
  key_missing: fault(400, ["IDEMPOTENCY_KEY_MISSING", says("Nothing was recorded.")]),
  key_invalid: fault(400, ["IDEMPOTENCY_KEY_INVALID", says("Nothing was recorded.")]),
  malformed: fault(400, ["VALIDATION_JSON", says("not valid JSON")]),
  validation: fault(
    422,
    ["VALIDATION_BODY", "accountId: 1 to 128 visible ASCII characters"],
    ["VALIDATION_BODY", "currency: three capital letters, ISO 4217"],
  ),
  not_found: fault(404, ["PAYMENT_NOT_FOUND", "There is no such payment."]),
  forbidden: fault(403, ["AUTH_FORBIDDEN", says("scopes is needed: payments.")]),
  rate_limit: fault(429, ["RATE_LIMIT_EXCEEDED", says("Retry after 1000 seconds.")]),
  database_away: fault(503, [
    "DEPENDENCY_UNAVAILABLE",
    "The database is not available. The database cannot be reached or did not answer in time. Retry with the same key. Retry after 1 second.",
  ]),
};

profileSuite("fault", "application/json", refusals);

describe.each(HOSTS)("a fault on %s", (name) => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openHost(name);
  });
  afterAll(() => host.close());

  it("PROFILE-4 carries the caller's trace, and is another one each time", async () => {
    const till = tillOf(host, await host.key(["payments"], { profile: "fault" }));
    const key = randomUUID();
    await till.post("/payments", payment(), { key });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = [["traceparent", `00-${traceId}-00f067aa0ba902b7-01`]] as const;
    const [one, two] = [
      await till.post("/payments", payment(), { key, headers }),
      await till.post("/payments", payment(), { key, headers }),
    ].map(({ json }) => json?.["fault"] as { readonly faultId: string; readonly traceId: string });
    expect([one?.traceId, two?.traceId]).toEqual([traceId, traceId]);
    expect(one?.faultId).not.toBe(two?.faultId);
  });

  it("PROFILE-6 a kept refusal wears the dress of whoever asks, with the same bytes each time", async () => {
    const key = randomUUID();
    const body = payment({ amount: "12.51" });
    const ask = async (profile: WireProfile) =>
      tillOf(host, await host.key(["payments"], { profile })).post("/payments", body, { key });
    const problem = await ask("problem");
    const [fault, again] = [await ask("fault"), await ask("fault")];
    expect(problem.json?.["code"]).toBe("payment.insufficient_funds");
    expect(fault.headers).toMatchObject({
      "idempotent-replayed": "true",
      "operation-id": problem.headers["operation-id"],
      "content-type": "application/json",
    });
    expect(fault.json).toEqual(faultOf(String(problem.headers["operation-id"]), [FUNDS]));
    expect(again.text).toBe(fault.text);
    expect((await ask("problem")).text).toBe(problem.text);
  });
});
