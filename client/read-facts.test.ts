import { expect, it } from "vitest";
import { readFacts } from "./read-facts";
import { canRecover, isSettled } from "./schedule";

const NEVER = { "x-should-retry": "false", "stripe-should-retry": "false", "operation-id": "op-1" };
const LATER = { "retry-after": "2", "operation-id": "op-1" };
const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readFacts(new Response(null, { status, headers }), body, 0);

/** One mismatch and one request in flight, as each profile writes them; and what is left when only status and headers speak. */
const MISMATCHES: [string, number, unknown][] = [
  [
    "problem",
    409,
    { type: "about:blank", code: "idempotency.payload_mismatch", retryable: false, differingFields: ["amount"] },
  ],
  [
    "playbook",
    409,
    {
      code: "CONFLICT.idempotency.payload_mismatch",
      error_code: "idempotency.payload_mismatch",
      retryable: false,
      differing_fields: ["amount"],
    },
  ],
  ["playbook without error_code", 409, { code: "CONFLICT.idempotency.payload_mismatch", differing_fields: ["amount"] }],
  [
    "fault",
    422,
    { fault: { faultId: "f", traceId: "t", errors: [{ errorCode: "IDEMPOTENCY_CONFLICT", description: "No." }] } },
  ],
  ["article", 409, { errorCode: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST", message: "No." }],
  ["mesh", 409, { errors: [{ code: "IDEMPOTENCY_CONFLICT", message: "No.", retryable: false }] }],
];
const IN_FLIGHT: [string, unknown, Record<string, string>][] = [
  ["problem", { code: "idempotency.in_progress", retryable: true }, LATER],
  [
    "playbook",
    { code: "TRANSIENT.idempotency.in_progress", error_code: "idempotency.in_progress", retryable: true },
    LATER,
  ],
  ["fault", { fault: { errors: [{ errorCode: "IDEMPOTENCY_IN_PROGRESS", description: "Later." }] } }, LATER],
  ["article", { errorCode: "IDEMPOTENCY_IN_PROGRESS", message: "Later." }, LATER],
  [
    "mesh",
    {
      errors: [
        { code: "IDEMPOTENCY_PROCESSING", retryable: true, details: { retry_after: { value: 2, unit: "second" } } },
      ],
    },
    {},
  ],
];

it.each(MISMATCHES)("a mismatch of the profile %s is final", (_name, status, body) => {
  const facts = read(status, body, NEVER);
  expect(facts.code).toBe("idempotency.payload_mismatch");
  expect([canRecover(facts), isSettled(facts, true)]).toEqual([false, true]);
  expect(canRecover({ ...facts, mayRetry: undefined, retryAfterMs: 1 })).toBe(false);
});

it.each(IN_FLIGHT)("a request in flight of the profile %s is asked again", (_name, body, headers) => {
  const facts = read(409, body, headers);
  expect(facts).toMatchObject({ code: "idempotency.in_progress", retryAfterMs: 2_000 });
  expect([canRecover(facts), isSettled(facts, true)]).toEqual([true, false]);
});

it.each([
  [409, NEVER, false, true],
  [409, LATER, true, false],
  [409, {}, false, false],
  [422, NEVER, false, true],
  [503, {}, true, false],
  [503, NEVER, false, false],
  [429, LATER, true, false],
  [402, { "idempotency-status": "stored" }, false, true],
])("without a body %i decides by itself and its headers (%#)", (status, headers, heals, settled) => {
  const facts = read(status, undefined, headers);
  expect([canRecover(facts), isSettled(facts, true)]).toEqual([heals, settled]);
});

it("reads members of its own code names, and leaves others as they came", () => {
  expect(read(402, { errorCode: "INSUFFICIENT_FUNDS", message: "No funds." })).toMatchObject({
    code: "INSUFFICIENT_FUNDS",
    detail: "No funds.",
  });
  expect(read(410, { errorCode: "IDEMPOTENCY_KEY_EXPIRED" }).code).toBe("idempotency.key_expired");
  expect(read(409, { code: "CONFLICT.account.exists" }).code).toBe("CONFLICT.account.exists");
  expect(read(404, { error: { code: "route.not_found" } }).code).toBe("route.not_found");
  expect(read(409, { differing_fields: ["amount", 7] }).differingFields).toEqual(["amount", "7"]);
});

it.each([
  undefined,
  null,
  7,
  "text",
  [],
  { errors: [] },
  { errors: "none" },
  { fault: null },
  { error: null },
  { code: 7 },
])("reads %j without falling over", (body) => {
  expect(read(500, body)).toMatchObject({ status: 500, code: undefined });
});
