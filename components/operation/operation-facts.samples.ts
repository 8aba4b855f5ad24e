import { SAMPLE_ID, SAMPLE_NOW } from "@/components/parts/part";
import type { ActionName, ActionView, MoneyView } from "@/presentation/views/common";
import type { InboxRow } from "@/presentation/views/inbox";
import type { OutboxRow } from "@/presentation/views/outbox";
import type { OperationDetail, ProviderCallRow, RequestRow } from "@/presentation/views/operations";

const AT = "2026-11-22T14:02:09.000000Z";
export const SAMPLE_MONEY: MoneyView = { minor: "1248000", amount: "12480.00", currency: "EUR", display: "€12,480.00" };

export function sampleAction(action: ActionName, label: string, whyNot?: string): ActionView {
  return { action, label, allowed: whyNot === undefined, whyNot };
}

const ACTIONS: readonly ActionView[] = [
  sampleAction("reconcile", "Ask the provider"),
  sampleAction("resolve_succeeded", "It succeeded"),
  sampleAction("resolve_failed", "It failed"),
  sampleAction("keep_waiting", "Keep waiting"),
  sampleAction("release", "Release the key", "It was sent."),
  sampleAction("purge_body", "Purge the body", "The body is evidence."),
  sampleAction("reveal_bodies", "Show the bodies"),
  sampleAction("send_again", "Send again", "Nobody can know whether it was charged."),
];

/** An operation that nobody knows the end of, with changes. */
export function sampleOperation(changes: Partial<OperationDetail> = {}): OperationDetail {
  return {
    at: SAMPLE_NOW,
    operationId: SAMPLE_ID,
    key: "order-7",
    operation: "payments.create",
    kind: "Payment",
    route: "POST /payments",
    registeredBy: "payments",
    runsIn: "module",
    leaves: { event: true, entry: true, money: "takes" },
    state: "UNKNOWN_REQUIRES_RECOVERY",
    client: "till",
    money: SAMPLE_MONEY,
    createdAt: AT,
    ageMs: 1_671_000,
    expiresAt: "2026-11-23T14:02:09.000000Z",
    attempts: 1,
    fence: 1,
    checks: 0,
    webhooks: [],
    verdict: { text: "Nobody knows.", clauses: [{ text: "Nobody knows.", tone: "doubt" }] },
    chain: {
      stations: [
        { name: "Key", glyph: "executed", facts: [], spoken: "Key: claimed", way: { kind: "solid" } },
        { name: "Provider", glyph: "unknown", facts: ["no answer"], spoken: "Provider: no answer" },
      ],
    },
    lanes: { stretches: [{ from: 0, to: 10, share: 1 }], ticks: [], lanes: [], spoken: "Requests over ten seconds" },
    requests: [],
    requestsTotal: 0,
    answers: { answers: [], total: 0 },
    leases: [],
    provider: [],
    names: [
      { label: "Key", value: "order-7" },
      { label: "Payment", none: "none yet" },
    ],
    policy: [{ label: "Kept", value: "24 h" }],
    command: {
      fingerprint: "9f2c…e81a",
      fingerprintVersion: 1,
      apiVersion: "2026-01-01",
      body: "masked",
      fields: [
        { name: "amount", value: "12480.00", masked: false, defaulted: false },
        { name: "card", value: "4242", masked: true, defaulted: true },
      ],
    },
    outbox: [],
    inbox: [],
    notifications: [],
    ledger: [],
    audit: [],
    events: [],
    eventsTotal: 1,
    actions: ACTIONS,
    ...changes,
  };
}

export function sampleRequest(changes: Partial<RequestRow>): RequestRow {
  return { number: 1, eventId: "e1", outcome: "replayed", at: AT, client: "till", told: "succeeded", ...changes };
}

export function sampleCall(changes: Partial<ProviderCallRow>): ProviderCallRow {
  return {
    id: changes.outcome ?? changes.state ?? "call",
    kind: "charge",
    provider: "acme-pay",
    providerKey: "provider_payment_1",
    state: "answered",
    fence: 1,
    preparedAt: AT,
    sentAt: AT,
    ...changes,
  };
}

export const SAMPLE_OUTBOX: OutboxRow = {
  id: "out-1",
  state: "published",
  topic: "webhook:shop",
  topicLabel: "webhook to shop.example",
  transport: "http",
  notification: false,
  type: "payment.succeeded",
  aggregateType: "payment",
  aggregateId: "p1",
  position: "1",
  attempts: 1,
  unfinished: 0,
  maxAttempts: 8,
  createdAt: AT,
  ageMs: 1_000,
  paused: true,
};

export const SAMPLE_INBOX: InboxRow = {
  id: "in-1",
  consumer: "ledger",
  source: "bank",
  messageId: "m1",
  type: "payment.succeeded",
  state: "processed",
  receivedAt: AT,
  ageMs: 1_000,
  duplicates: 0,
  mismatches: 0,
  attempts: 1,
  unfinished: 0,
  maxAttempts: 8,
  alone: false,
};
