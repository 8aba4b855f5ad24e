import { sampleKind } from "@/tests/support/payment-kinds";
import type { ProofFacts, ProofRequest } from "@/domain/checks/proof-facts";

/** The rows of a payment of 42.00 EUR that was executed once, replayed once, published, handled and posted. */
export const PAID = {
  operationId: "01a1aaaa-0000-7000-8000-000000000001",
  paymentId: "01a1aaaa-0000-7000-8000-000000000002",
  callId: "01a1aaaa-0000-7000-8000-000000000003",
  messageId: "01a1aaaa-0000-7000-8000-000000000004",
  inboxId: "01a1aaaa-0000-7000-8000-000000000005",
  entryId: "01a1aaaa-0000-7000-8000-000000000006",
  notificationId: "01a1aaaa-0000-7000-8000-000000000007",
} as const;

const AT = "2026-11-19T14:02:09.114000Z";
const MONEY = { minor: "4200", currency: "EUR" };
const REQUEST: ProofRequest = {
  operationId: PAID.operationId,
  operation: "payments.create",
  key: "till-7-order-88213-pay-1",
  client: "till-web",
  state: "COMPLETED",
  fence: 1,
  responseStatus: 201,
  resourceType: "payment",
  resourceId: PAID.paymentId,
  replay: "stored",
  account: "acc_northgate_04",
  reference: "order-88213",
  money: MONEY,
  createdAt: "2026-11-19T14:02:09.114000Z",
  completedAt: "2026-11-19T14:02:09.402000Z",
  expiresAt: "2026-11-20T14:02:09.114000Z",
};
const PROVIDER_KEY = `provider_payment_${PAID.paymentId}`;

/** @param changes members that differ; whole members, not merged */
export function paidFacts(changes: Partial<ProofFacts> = {}): ProofFacts {
  const event = (n: number): string => `01a1aaaa-0000-7000-8000-00000000010${String(n)}`;
  return {
    at: "2026-11-19T14:43:20.000000Z",
    about: sampleKind((changes.request ?? REQUEST).operation),
    request: REQUEST,
    holders: [PAID.operationId],
    answers: { rows: [{ fence: 1, hash: "aa" }] },
    events: {
      rows: [
        { id: event(1), at: AT, type: "claimed", fence: 1, requestId: "req-1" },
        { id: event(2), at: AT, type: "executed", outcome: "executed", fence: 1, requestId: "req-1", servedHash: "aa" },
        { id: event(3), at: AT, type: "replayed", outcome: "replayed", fence: 1, requestId: "req-2", servedHash: "aa" },
      ],
    },
    calls: {
      rows: [
        {
          id: PAID.callId,
          kind: "charge",
          providerKey: PROVIDER_KEY,
          state: "answered",
          outcome: "succeeded",
          reference: "np_8Kq2",
          money: MONEY,
        },
      ],
    },
    made: {
      rows: [
        {
          kind: "payment",
          id: PAID.paymentId,
          status: "succeeded",
          account: "acc_northgate_04",
          reference: "order-88213",
          money: MONEY,
          providerKey: PROVIDER_KEY,
          providerReference: "np_8Kq2",
        },
      ],
    },
    outbox: { rows: [{ id: PAID.messageId, type: "payment.succeeded", state: "published", attempts: 1, to: "inbox" }] },
    inbox: {
      rows: [
        {
          id: PAID.inboxId,
          consumer: "ledger",
          own: true,
          messageId: PAID.messageId,
          state: "processed",
          attempts: 1,
          duplicates: 0,
          mismatches: 0,
        },
      ],
    },
    ledger: {
      rows: [
        {
          id: PAID.entryId,
          entryType: "payment",
          sourceId: PAID.paymentId,
          operationId: PAID.operationId,
          debitAccount: "customer:acc_northgate_04",
          creditAccount: "merchant:acme",
          money: MONEY,
        },
      ],
    },
    notifications: { rows: [] },
    ...changes,
  };
}

/** The same request in another state. */
export function requestWith(changes: Partial<ProofRequest>): ProofRequest {
  return { ...REQUEST, ...changes };
}
