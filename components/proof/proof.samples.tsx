import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_ID, type Part } from "@/components/parts/part";
import type { ProofClaim, SignedProof } from "@/presentation/proof/proof-statement";
import { ProofView } from "./proof-view";

const ZEROS = {
  executed: "1",
  replayed: "0",
  conflict: "0",
  inProgress: "0",
  unknown: "0",
  expiredRetry: "0",
  failed: "0",
  unanswered: "0",
};
const claim = (changes: Partial<ProofClaim>): ProofClaim => ({
  name: "one_ledger_entry",
  text: "One ledger entry was posted",
  expected: "1",
  counted: "1",
  status: "holds",
  rows: [{ table: "entries", id: "entry-1" }],
  ...changes,
});
const PROOF: SignedProof = {
  format: "onceboard-proof/2",
  issuedAt: "2026-11-22T14:30:00.114Z",
  deployment: "https://pay.example.com",
  tenant: "acme",
  operationId: SAMPLE_ID,
  operation: {
    name: "payments.create",
    key: "order-7",
    client: "till",
    state: "COMPLETED",
    createdAt: "2026-11-22T14:02:09Z",
    expiresAt: "2026-11-23T14:02:09Z",
    amount: "12480.00",
    currency: "EUR",
  },
  verdict: "proven",
  sentence: "Money moved once.",
  counts: {
    requests: { ...ZEROS, total: "1" },
    executions: "1",
    settledByHand: "0",
    owners: "1",
    takeovers: "0",
    fencedWrites: "0",
    providerCallsSent: "1",
    providerCallsAnswered: "1",
    providerEffects: "1",
    lookUps: "0",
    webhooks: "0",
    events: "1",
    deliveries: "1",
    consumers: "1",
    duplicateArrivals: "0",
    ledgerEntries: "1",
    notifications: "0",
  },
  claims: [claim({}), claim({ name: "one_execution", text: "It ran once" })],
  missing: [],
  notShown: [],
  identities: [
    { name: "Key", value: "order-7" },
    { name: "Event", value: "event-1" },
    { name: "Event", value: "event-2" },
    { name: "Refund", none: "none yet" },
  ],
  signature: { algorithm: "Ed25519", keyId: "key-1", value: "c2lnbmF0dXJl" },
};
const proof = (changes: Partial<SignedProof>) =>
  onConnection(
    <ProofView
      proof={{ ...PROOF, ...changes }}
      about={{ kind: "Payment", route: "POST /payments" }}
      verdict={{ text: "Money moved once.", clauses: [{ text: "Money moved once.", tone: "fine" }] }}
    />,
  );

export const proofParts: readonly Part[] = [
  {
    name: "ProofView",
    states: [
      {
        name: "proven",
        shows: proof({}),
        says: [
          "Money moved once.",
          "Proven",
          "€12,480.00",
          "2, all hold",
          "Copy entry-1",
          "1 executed",
          "1 sent, 1 answered",
          "Event 2",
          "none yet",
          "1, 1 delivery",
        ],
        lacks: [
          "What is missing.",
          "Something that must hold does not.",
          "look-up",
          "by take-over",
          "duplicate",
          "more",
        ],
        hasNot: ["details"],
      },
      {
        name: "broken",
        shows: proof({
          verdict: "broken",
          claims: [
            claim({}),
            claim({ name: "one_execution", text: "It ran once", status: "fails", counted: "2", note: "Twice." }),
            claim({ name: "one_key", status: "not_shown", rows: [] }),
          ],
        }),
        says: [
          "Broken",
          "Something that must hold does not.",
          "3: 1 fails, 1 cannot be shown, 1 holds",
          "Twice.",
          "no row",
        ],
        has: ['tr:first-child b[data-tone="broken"]'],
      },
      {
        name: "open",
        shows: proof({
          verdict: "open",
          missing: ["The ledger entry"],
          operation: { ...PROOF.operation, amount: undefined },
          claims: [claim({ status: "open" }), claim({ name: "one_execution", status: "open" })],
        }),
        says: ["Open", "What is missing.", "The ledger entry", "2: 2 are open"],
        lacks: ["€12,480.00"],
      },
      {
        name: "evidence is gone",
        shows: proof({ verdict: "partial", notShown: ["The stored answer"] }),
        says: ["Partial", "What cannot be shown", "The stored answer"],
      },
      {
        name: "settled by hand, and not confirmed",
        shows: proof({
          verdict: "partial",
          counts: { ...PROOF.counts, executions: "0", settledByHand: "1", providerCallsAnswered: "0" },
        }),
        says: ["none confirmed, settled by hand", "1 sent, 0 answered"],
        lacks: ["1 answered"],
      },
      {
        name: "settled by hand, and confirmed later",
        shows: proof({ counts: { ...PROOF.counts, settledByHand: "1" } }),
        says: ["1, settled by hand"],
        lacks: ["none confirmed"],
      },
      {
        name: "an amount that is none of its currency stays as it was written",
        shows: proof({ operation: { ...PROOF.operation, amount: "12.345" } }),
        says: ["12.345 EUR"],
      },
      {
        name: "more was counted",
        shows: proof({
          counts: {
            ...PROOF.counts,
            requests: { ...ZEROS, total: "3", replayed: "2" },
            takeovers: "1",
            fencedWrites: "1",
            providerCallsSent: "0",
            lookUps: "2",
            webhooks: "1",
            duplicateArrivals: "1",
          },
        }),
        says: [
          "3: 1 executed, 2 replayed",
          "1, 1 by take-over, 1 fenced",
          "none sent, 2 look-ups, 1 signed event",
          "1, 1 duplicate",
        ],
      },
      {
        name: "many rows are folded, and those that have a page are links",
        shows: proof({
          claims: [
            claim({
              rows: [
                { table: "outbox_messages", id: "out-1" },
                { table: "outbox_messages", id: "out-2" },
                { table: "outbox_messages", id: "out-3" },
                { table: "outbox_messages", id: "out-1" },
                { table: "idempotency_events", id: "e1" },
              ],
            }),
          ],
        }),
        says: ["3 messages out", "and 1 more"],
        has: [
          'a[href="/outbox/out-1"]',
          'details a[href="/outbox/out-3"]',
          `a[href="/operations/${SAMPLE_ID}?open=events"]`,
        ],
      },
    ],
  },
];
