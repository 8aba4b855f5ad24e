import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { PlanView as Plan } from "@/presentation/views/plans";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import { FreezeDialog } from "./freeze-dialog";
import { PlanDecision } from "./plan-decision";
import { PlanStepDialog } from "./plan-dialogs";
import { askedPlan, NOT_YOURS, ranPlan, samplePlan } from "./plan-facts.samples";

const decide = (plan: Plan) => <PlanDecision plan={plan} />;
const step = (name: "start" | "approve" | "reject" | "abort" | "rerun" | "ask", plan: Plan) =>
  onConnection(<PlanStepDialog name={name} plan={plan} />);
const freeze = (kind: Plan["kind"]) =>
  onConnection(<FreezeDialog name="plan" kind={kind} many="4 selected operations" body={{ ids: [] }} />);

export const planDecisionParts: readonly Part[] = [
  {
    name: "PlanDecision",
    states: [
      {
        name: "may be started",
        shows: decide(samplePlan()),
        says: ["Start 6", "Ready to start.", "Ada, 14:02:09", "The consumer is mended.", "Abandon the plan"],
        lacks: ["Still matches", "May approve", "Decided by", "Started by", "Not offered"],
      },
      {
        name: "nothing would act",
        shows: decide(
          samplePlan({
            counts: { waiting: 0, done: 0, skipped: 8, failed: 0 },
            actions: { ...samplePlan().actions, start: { ...NOT_YOURS, whyNot: "No row would act." } },
          }),
        ),
        says: ["No row would act."],
        off: ["Start"],
      },
      {
        name: "asked: approval counts what is left to run",
        shows: decide(askedPlan()),
        says: ["Approve and run 11", "Left to run11 rows, €700.40", "Left out4 still unknown", "Ask again about 4"],
      },
      {
        name: "asked, every row has its answer",
        shows: decide(
          askedPlan({
            state: "ready",
            rest: [{ result: "waiting", verdict: "ask", now: "acts", count: 15, lookUp: "completes" }],
            asking: {
              state: "asked",
              answers: [{ answer: "completes", count: 15, amounts: [], results: NO_RESULTS, otherwise: 0 }],
            },
            actions: { ...samplePlan().actions, ask: { ...NOT_YOURS, whyNot: "Every row has its answer." } },
          }),
        ),
        says: ["Start 15", "Not offered: Every row has its answer."],
        lacks: ["Left out"],
        off: ["Ask again"],
      },
      {
        name: "this person may approve",
        shows: decide(
          samplePlan({
            state: "awaiting_approval",
            approvalNeeded: "more than 100 rows",
            drift: { matching: 9, added: 2, gone: 1, atLeast: true },
          }),
        ),
        says: [
          "Approval",
          "You may approve: Ada asked for it, not you.",
          "Approve and run 6",
          "more than 100 rows",
          "May approve",
          "Matches more than 9: 2 new, not in this plan; 1 gone since",
        ],
      },
      {
        name: "another person must approve",
        shows: decide(
          samplePlan({
            state: "awaiting_approval",
            actions: { ...samplePlan().actions, decide: NOT_YOURS },
            drift: { matching: 8, added: 0, gone: 0, atLeast: false },
          }),
        ),
        says: ["It waits for a second person.", "Not offered: You asked for it yourself.", "Still matches these rows"],
        off: ["Approve and run 6", "Reject"],
      },
      {
        name: "nobody agreed in time",
        shows: decide(samplePlan({ state: "awaiting_approval", expired: true })),
        lacks: ["May approve", "You may approve"],
      },
      {
        name: "runs",
        shows: decide(samplePlan({ state: "running", owner: "worker-1", startedBy: "Grace" })),
        says: ["Running", "worker-1", "Grace", "Abort"],
        lacks: ["Start 6"],
      },
      {
        name: "rejected, with the reason",
        shows: decide(samplePlan({ state: "rejected", decidedBy: "Grace", decisionReason: "Too many." })),
        says: ["Afterwards", "Rejected: Too many.", "Grace: Too many.", "Plan 8 again"],
      },
      {
        name: "rejected without one",
        shows: decide(samplePlan({ state: "rejected", decidedBy: "Grace" })),
        says: ["It was rejected.", "Decided byGrace"],
      },
      {
        name: "stopped on the way",
        shows: decide(
          ranPlan({
            state: "aborted",
            counts: { waiting: 1, done: 5, skipped: 2, failed: 0 },
            rest: [{ result: "waiting", verdict: "safe", now: "acts", count: 1 }],
          }),
        ),
        says: ["1 row would act now: plan it again.", "Plan 1 again"],
      },
      {
        name: "stopped, expired",
        shows: decide(samplePlan({ state: "aborted", expired: true, endedAt: SAMPLE_NOW })),
        says: ["Planning them again judges each of them anew.", "Plan 8 again"],
      },
      {
        name: "done but for some, of which each needs something else",
        shows: decide(
          ranPlan({
            rest: [
              { result: "failed", verdict: "safe", now: "acts", count: 2 },
              { result: "left", verdict: "operation_unknown", now: "left", count: 1 },
              { result: "left", verdict: "moved", now: "settled", by: "by Ada", count: 1 },
            ],
          }),
        ),
        says: [
          "2 rows would act now: plan them again.",
          "1 row needs something else: 1 settle the operation first.",
          "Plan 2 again",
        ],
      },
      {
        name: "the others were settled by somebody else",
        shows: decide(
          ranPlan({
            rest: [{ result: "settled", verdict: "moved", now: "settled", by: "by Ada", count: 4 }],
            actions: { ...samplePlan().actions, rerun: { ...NOT_YOURS, whyNot: "None of its rows would act now." } },
          }),
        ),
        says: ["Nothing is left to do: what it did not do is settled.", "Not offered: None of its rows would act now."],
        lacks: ["did not act"],
        off: ["Plan again"],
      },
      {
        name: "done, with a rest too long to be judged here",
        shows: decide(ranPlan()),
        says: ["4 rows did not act. Planning them again judges each of them anew."],
      },
      {
        name: "done for good",
        shows: decide(ranPlan({ kind: "purge_bodies", counts: { waiting: 0, done: 8, skipped: 0, failed: 0 } })),
        says: ["Every row did what the dry run said."],
        has: ['li svg[data-tone="doubt"]'],
      },
    ],
  },
  {
    name: "PlanStepDialog",
    states: [
      { name: "closed", shows: step("start", samplePlan()), hasNot: ["form"] },
      {
        name: "start",
        search: "dialog=start",
        shows: step("start", samplePlan()),
        says: ["Let the worker requeue 6 rows?", "2 of 8, as the dry run says.", "Start 6"],
        lacks: ["Approve"],
        has: ["textarea:not([required])"],
      },
      {
        name: "start, and a canary goes first",
        search: "dialog=start",
        shows: step("start", samplePlan({ canary: { state: "due", rows: [] }, outlooks: { dies: 3 } })),
        says: [
          "Some of them are likely to die again.",
          "A canary of each destination goes first; if one fails, the plan stops.",
        ],
      },
      {
        name: "approve what leaves nothing out",
        search: "dialog=approve",
        shows: step("approve", samplePlan({ counts: { waiting: 1, done: 0, skipped: 0, failed: 0 }, total: 1 })),
        says: ["Approve, and let the worker requeue 1 row?", "None of 1.", "Approve and run 1"],
      },
      {
        name: "reject, not by who asked",
        search: "dialog=reject",
        shows: step("reject", samplePlan({ actions: { ...samplePlan().actions, decide: NOT_YOURS } })),
        says: ["Reject this plan of 8 rows?", "All 8.", "You asked for it yourself."],
        off: ["Reject the plan"],
        has: ["textarea[required]"],
      },
      {
        name: "stop before it ran",
        search: "dialog=abort",
        shows: step("abort", samplePlan()),
        says: ["No row acts.", "6 of 8 stay as they are; they can"],
      },
      {
        name: "stop while it runs",
        search: "dialog=abort",
        shows: step("abort", samplePlan({ startedAt: SAMPLE_NOW })),
        says: ["The row under way ends or is taken back", "What has acted is not taken back."],
      },
      {
        name: "plan the rest again",
        search: "dialog=rerun",
        shows: step("rerun", ranPlan()),
        says: ["Plan 4 rows again?", "4 that are done, settled", "Freeze 4 rows"],
      },
      {
        name: "plan one row again",
        search: "dialog=rerun",
        shows: step("rerun", ranPlan({ total: 1, counts: { waiting: 0, done: 0, skipped: 0, failed: 1 } })),
        says: ["Plan 1 row again?", "None."],
      },
      {
        name: "ask again about what has no final answer",
        search: "dialog=ask",
        shows: step("ask", askedPlan()),
        says: ["Ask the provider again about 4 rows?", "11 with a final answer.", "Ask about 4 rows"],
        has: ["textarea:not([required])"],
      },
      {
        name: "approve what the dry run left",
        search: "dialog=approve",
        shows: step("approve", askedPlan()),
        says: ["Approve, and let the worker reconcile 11 rows?", "4 still unknown, left out.", "Approve and run 11"],
      },
    ],
  },
  {
    name: "FreezeDialog",
    states: [
      {
        name: "what may move money is limited by it",
        search: "dialog=plan",
        shows: freeze("release_operations"),
        says: ["Plan to release 4 selected operations", "of one currency", "Freeze and judge"],
      },
      {
        name: "what moves none is not",
        search: "dialog=plan",
        shows: freeze("purge_bodies"),
        lacks: ["of one currency"],
        has: ["dialog[open]"],
      },
    ],
  },
];
