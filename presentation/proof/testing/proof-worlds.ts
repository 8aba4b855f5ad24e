import fc from "fast-check";
import type { ProofFacts, ProofGap } from "@/domain/checks/proof-facts";
import { OPERATION_STATES, type OperationState } from "@/domain/idempotency/states";
import { PAID, paidFacts, requestWith } from "./proof";

const KEY = `provider_payment_${PAID.paymentId}`;
const money = fc.constantFrom(
  { minor: "4200", currency: "EUR" },
  { minor: "4200", currency: "EUR" },
  {
    minor: "42000",
    currency: "EUR",
  },
);
const gap: fc.Arbitrary<ProofGap | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ProofGap>({ kind: "cut", limit: 1_000 }, { kind: "purged", before: "2026-11-01" }),
  },
);
const rows = <Row>(row: fc.Arbitrary<Row>, maxLength: number) =>
  fc.record({ rows: fc.array(row, { maxLength }), gap }).map(({ rows: each, gap: missing }) => ({
    rows: each.map((one, index) => ({ ...one, id: `row-${String(index)}` })),
    ...(missing !== undefined && { gap: missing }),
  }));
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const fence = fc.constantFrom(1, 1, 1, 2);
const hash = maybe(fc.constantFrom("aa", "aa", "bb"));
const at = fc.constant("2026-11-19T14:02:10.000000Z");

const event = fc.oneof(
  fc.record({
    at,
    type: fc.constantFrom("claimed", "taken_over", "fenced", "executed", "replayed", "conflict"),
    outcome: maybe(fc.constantFrom("executed" as const, "replayed" as const, "conflict" as const)),
    fence,
    servedHash: hash,
  }),
  fc.record({
    at,
    type: fc.constantFrom("resolved", "resolved", "reconciled"),
    fence,
    to: fc.constantFrom("COMPLETED", "FAILED_REPLAYABLE", "FAILED_RETRYABLE"),
    actor: fc.constant("Vera Lindqvist"),
    evidence: fc.constant(["bank statement"]),
  }),
);
const says = maybe(fc.constantFrom("succeeded" as const, "failed" as const, "processing" as const));
const providerKey = fc.constantFrom(KEY, KEY, `${KEY}_2`, "provider_payment_other");

/** Everything that the rows of one operation may be, what must never be too. */
export const proofWorlds: fc.Arbitrary<ProofFacts> = fc
  .record({
    operation: fc.constantFrom("payments.create", "refunds.create", "payments.void", "accounts.create", "shop.order"),
    state: fc.constantFrom(...OPERATION_STATES, "COMPLETED", "COMPLETED"),
    fence,
    responseStatus: maybe(fc.constantFrom(201, 402)),
    replay: fc.constantFrom("stored" as const, "stored" as const, "reference" as const),
    bodyPurgedAt: maybe(fc.constant("2026-11-19T14:30:00.000000Z")),
    lockedUntil: maybe(fc.constantFrom("2026-11-19T14:43:10.000000Z", "2026-11-19T14:43:30.000000Z")),
    answers: rows(fc.record({ fence, hash, unreadable: maybe(fc.constant("Its key was destroyed.")) }), 2),
    events: rows(event, 7),
    calls: rows(
      fc.record({
        kind: fc.constantFrom("charge", "charge", "resend", "lookup"),
        providerKey,
        state: fc.constantFrom("prepared" as const, "sent" as const, "answered" as const, "answered" as const),
        outcome: maybe(fc.constantFrom("succeeded", "declined", "absent", "no_effect", "indefinite")),
        reference: maybe(fc.constantFrom("np_8Kq2", "np_other")),
        money: maybe(money),
      }),
      4,
    ),
    made: rows(
      fc.record({
        kind: fc.constant("payment"),
        status: fc.constantFrom("succeeded", "failed"),
        account: fc.constantFrom("acc_northgate_04", "acc_other"),
        money: maybe(money),
        providerKey: maybe(providerKey),
        providerReference: maybe(fc.constantFrom("np_8Kq2", "np_other")),
      }),
      2,
    ),
    outbox: rows(
      fc.record({
        type: fc.constantFrom("payment.succeeded", "payment.succeeded", "refund.succeeded", "account.opened"),
        state: fc.constantFrom(
          "pending" as const,
          "published" as const,
          "published" as const,
          "dead" as const,
          "discarded" as const,
        ),
        attempts: fc.nat(12),
        to: fc.constantFrom("inbox" as const, "inbox" as const, "broker" as const, "elsewhere" as const),
      }),
      2,
    ),
    inbox: rows(
      fc.record({
        consumer: fc.constantFrom("ledger", "ledger", "receipts"),
        own: fc.constantFrom(true, true, false),
        messageId: fc.constantFrom("row-0", "row-0", "row-1"),
        state: fc.constantFrom(
          "recorded" as const,
          "processed" as const,
          "processed" as const,
          "dead" as const,
          "discarded" as const,
        ),
        attempts: fc.nat(5),
        duplicates: fc.nat(2),
        mismatches: fc.nat(1),
        says,
        providerKey: maybe(providerKey),
      }),
      3,
    ),
    ledger: rows(
      fc.record({
        entryType: fc.constantFrom("payment", "payment", "refund"),
        sourceId: fc.constantFrom("row-0", "other"),
        operationId: fc.constantFrom(PAID.operationId, PAID.operationId, "other"),
        debitAccount: fc.constant("customer:acc_northgate_04"),
        creditAccount: fc.constantFrom("merchant:acme", "customer:acc_northgate_04"),
        money,
      }),
      2,
    ),
    notifications: rows(
      fc.record({ key: fc.constant("r"), kind: fc.constantFrom("receipt", "reminder"), state: fc.constant("sent") }),
      2,
    ),
  })
  .map(({ operation, state, fence: own, responseStatus, replay, bodyPurgedAt, lockedUntil, events, ...found }) => {
    const to = endOf(state, responseStatus);
    // The last decision is what led to the state.
    const decided = events.rows.map((row) => (row.type === "resolved" && to !== undefined ? { ...row, to } : row));
    return paidFacts({
      ...found,
      events: { ...events, rows: decided },
      ...(state === "IN_PROGRESS" && { open: { stage: "PROVIDER_REQUEST_SENT" as const, lockedUntil } }),
      request: requestWith({ operation, state, fence: own, responseStatus, replay, bodyPurgedAt }),
    });
  });

/** State that an operation was settled in; undefined while it is open. */
function endOf(state: OperationState, responseStatus: number | undefined): OperationState | undefined {
  if (state === "IN_PROGRESS" || state === "UNKNOWN_REQUIRES_RECOVERY") return undefined;
  if (state !== "EXPIRED") return state;
  if (responseStatus === undefined) return "FAILED_RETRYABLE";
  return responseStatus < 400 ? "COMPLETED" : "FAILED_REPLAYABLE";
}
