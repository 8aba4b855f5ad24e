import type { AnswerOutcome } from "@/domain/idempotency/states";
import { sampleKind } from "@/tests/support/payment-kinds";
import type { OutboxRow } from "../views/outbox";
import type { OperationRecord, ProviderCallRow, RequestRow } from "../views/operations";

/** A moment that all records of tests are read at. */
export const NOW = "2026-11-19T14:43:20.000000Z";
const CREATED = "2026-11-19T14:02:09.114000Z";

/** @returns a payment's record, with the parts that a test is about. */
export function record(parts: Partial<OperationRecord> = {}): OperationRecord {
  return {
    at: NOW,
    about: sampleKind(parts.operation ?? "payments.create"),
    operationId: "01a1fc8c-d901-7144-af22-f0decb4821c3",
    key: "till-7-order-88213-pay-1",
    operation: "payments.create",
    state: "COMPLETED",
    client: "till-web",
    money: { minor: "1248000", amount: "12480.00", currency: "EUR", display: "€12,480.00" },
    responseStatus: 201,
    createdAt: CREATED,
    expiresAt: "2026-11-20T14:02:09.114000Z",
    fence: 1,
    attempts: 1,
    maxAttempts: 25,
    requests: [],
    leases: [],
    provider: [],
    outbox: [],
    inbox: [],
    ledger: [],
    checks: 0,
    webhooks: [],
    ...parts,
    requestsTotal: parts.requestsTotal ?? parts.requests?.length ?? 0,
  };
}

export function answerRow(outcome: AnswerOutcome, parts: Partial<RequestRow> = {}): RequestRow {
  const served = outcome === "executed" || outcome === "replayed";
  return { number: 1, eventId: "e1", outcome, at: CREATED, told: "", byteEqual: served ? true : undefined, ...parts };
}

export function call(parts: Partial<ProviderCallRow> = {}): ProviderCallRow {
  return {
    id: "c1",
    kind: "charge",
    provider: "sandbox",
    providerKey: "provider_payment_p1",
    state: "answered",
    fence: 1,
    preparedAt: CREATED,
    sentAt: "2026-11-19T14:02:09.381000Z",
    answeredAt: "2026-11-19T14:02:19.000000Z",
    ...parts,
  };
}

export function outboxRowSample(state: OutboxRow["state"], attempts = 1): OutboxRow {
  return {
    id: "m1",
    state,
    topic: "payments",
    topicLabel: "payments",
    notification: false,
    paused: false,
    unfinished: 0,
    type: "payment.succeeded",
    aggregateType: "payment",
    aggregateId: "p1",
    position: "1",
    attempts,
    maxAttempts: 12,
    createdAt: "2026-11-19T14:02:10.000000Z",
    ageMs: 0,
  };
}
