import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { AttentionRow } from "@/presentation/views/operations";
import { AttentionView, type AttentionViewProps } from "./attention-view";

export function sampleAttention(changes: Partial<AttentionRow> = {}): AttentionRow {
  return {
    operationId: SAMPLE_ID,
    key: "order-1",
    operation: "payments.create",
    kind: "Payment",
    state: "UNKNOWN_REQUIRES_RECOVERY",
    client: "shop",
    money: { minor: "1200", amount: "12.00", currency: "EUR", display: "€12.00" },
    createdAt: "2026-11-22T14:00:00Z",
    ageMs: 1_800_000,
    answers: { answers: ["unknown"], total: 1 },
    chain: ["done", "done", "unknown", "not_due", "not_due", "not_due"],
    since: "2026-11-22T14:00:00Z",
    forMs: 1_800_000,
    known: "Look-up says processing.",
    checks: 1,
    beingAsked: false,
    ...changes,
  };
}

const queue = (rows: readonly AttentionRow[], changes: Partial<AttentionViewProps> = {}) =>
  inLive(
    <AttentionView
      view={{
        list: { kind: "page", rows, at: SAMPLE_NOW },
        totals: [],
        unknown: rows.length,
        stale: 0,
        verdict: { text: "In doubt.", clauses: [{ text: "In doubt.", tone: "doubt" }] },
      }}
      address={{ path: "/attention", search: {} }}
      facts={{ page: "attention", tenant: "acme", views: [] }}
      kinds={[]}
      opened={undefined}
      {...changes}
    />,
  );

export const attentionParts: readonly Part[] = [
  {
    name: "AttentionView",
    states: [
      {
        name: "empty",
        shows: queue([]),
        says: ["The queue is empty.", "See what was settled by hand"],
        lacks: ["Oldest and largest first", "not sorted"],
      },
      {
        name: "a page behind its end",
        shows: queue([], {
          view: {
            list: { kind: "page", rows: [], at: SAMPLE_NOW },
            totals: [],
            unknown: 50,
            stale: 0,
            verdict: { text: "50 in doubt.", clauses: [{ text: "50 in doubt.", tone: "doubt" }] },
          },
          address: { path: "/attention", search: { cursor: "abc" } },
        }),
        says: ["No operation is on this page of the queue."],
        lacks: ["The queue is empty."],
        has: ['a[href="/attention"]'],
      },
      {
        name: "too long to sort",
        shows: queue([], {
          view: {
            list: { kind: "too_broad", stoppedAfterSeconds: 3 },
            totals: [],
            unknown: 0,
            stale: 0,
            verdict: { text: "Many.", clauses: [{ text: "Many.", tone: "doubt" }] },
          },
        }),
        says: ["The queue was not sorted in time.", "It stopped after 3 s.", "Show them by amount"],
      },
      {
        name: "one that may be asked about, and taken",
        shows: queue([sampleAttention({ nextCheckAt: "2026-11-22T14:32:00Z" })]),
        says: ["Asked again in 2 min.", "Assign to me"],
        lacks: ["Its lease is held"],
        has: [`a[href*="reconcile%3A${SAMPLE_ID}"]`, `a[href*="assign%3A${SAMPLE_ID}"]`],
        off: ["Newer", "Older"],
      },
      {
        name: "being asked, and somebody's",
        shows: queue([sampleAttention({ beingAsked: true, assignedTo: "Bo", money: undefined })]),
        says: [
          "Its lease is held.",
          "Assigned to Bo.",
          "Unassign",
          "Its lease is held: whoever holds it may be asking right now.",
        ],
        hasNot: [`a[href*="reconcile%3A${SAMPLE_ID}"]`],
        off: ["Reconcile", "Newer", "Older"],
      },
      {
        name: "cannot be asked, and no check is planned",
        shows: queue([sampleAttention({ cannotBeAsked: "It never reached the provider.", state: "STALE" })]),
        says: ["It never reached the provider.", "No next check is planned."],
        off: ["Reconcile", "Newer", "Older"],
      },
      {
        name: "this person may not, and a check is due",
        shows: queue([sampleAttention({ nextCheckAt: SAMPLE_NOW })], {
          whyNotAssign: "Needs operator.",
          whyNotReconcile: "Needs operator.",
        }),
        says: ["The next look-up is due.", "Needs operator."],
        off: ["Reconcile", "Assign to me", "Newer", "Older"],
      },
    ],
  },
];
