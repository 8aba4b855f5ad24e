import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import type { ApprovalRow, PlanRow } from "@/presentation/views/plans";
import { ApprovalsView } from "./approvals-view";

const plan: PlanRow = {
  id: SAMPLE_ID,
  kind: "requeue_dead_letters",
  state: "awaiting_approval",
  scope: "12 rows",
  reason: "the topic works again",
  total: 12,
  amounts: [],
  counts: { waiting: 10, done: 0, skipped: 2, failed: 0 },
  results: NO_RESULTS,
  expired: false,
  createdAt: "2026-11-22T14:00:00Z",
  createdBy: "Bo",
  byKey: false,
};

export function sampleApproval(changes: Partial<ApprovalRow> = {}): ApprovalRow {
  return {
    ...plan,
    chips: [],
    verdicts: [],
    acting: 10,
    own: false,
    decide: { action: "decide_plan", label: "Decide", allowed: true },
    ...changes,
  };
}

const refused = { action: "decide_plan", label: "Decide", allowed: false, whyNot: "You asked for it." } as const;
const approvals = (waiting: readonly ApprovalRow[], decided: readonly PlanRow[] = [], count = waiting.length) =>
  inLive(<ApprovalsView view={{ waiting, count, decided, at: SAMPLE_NOW }} />);

export const approvalParts: readonly Part[] = [
  {
    name: "ApprovalsView",
    states: [
      {
        name: "nothing waits",
        shows: approvals([]),
        says: ["Nothing waits for approval.", "See all plans", "None of the newest 1,000 plans was decided."],
        hasNot: ["table"],
      },
      {
        name: "one that this person may decide",
        shows: approvals([sampleApproval({ drift: { matching: 12, added: 0, gone: 0, atLeast: false } })]),
        says: ["1 plan waits for a second person.", "You may decide about it.", "Approve and run 10", "Still matches"],
        lacks: ["Not offered", "Nothing waits"],
        has: [`a[href*="approve%3A${SAMPLE_ID}"]`, `a[href*="reject%3A${SAMPLE_ID}"]`],
      },
      {
        name: "one of their own",
        shows: approvals([sampleApproval({ own: true, decide: refused, approvalNeeded: "Over 10 rows." })]),
        says: ["You asked for it yourself.", "Not offered: You asked for it.", "Over 10 rows."],
        lacks: ["You may decide about", "Still matches"],
        off: ["Approve and run 10", "Reject"],
      },
      {
        name: "several, some of their own",
        shows: approvals([
          sampleApproval({
            verdicts: [{ verdict: "safe", acts: true, count: 3, counts: plan.counts, results: NO_RESULTS }],
          }),
          sampleApproval({ id: "p2", own: true, decide: refused }),
        ]),
        says: ["2 plans wait for a second person.", "You may decide about 1.", "You asked for 1 yourself."],
        off: ["Approve and run 10", "Reject"],
      },
      {
        name: "decided",
        shows: approvals(
          [],
          [
            { ...plan, state: "rejected", decidedBy: "Cy", decisionReason: "too many", decidedAt: SAMPLE_NOW },
            { ...plan, id: "p3", state: "aborted", expired: true },
          ],
        ),
        says: ["Cy: too many", "Rejected", "Expired"],
        lacks: ["Nobody has decided"],
      },
    ],
  },
];
