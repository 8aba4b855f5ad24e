import type { Part } from "@/components/parts/part";
import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_NOW } from "@/components/parts/part";
import type { PlanView as Plan } from "@/presentation/views/plans";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import { FreezeDialog } from "./freeze-dialog";
import { ItemVerdictTable, Marks, rowsPerMark } from "./item-verdict-table";
import { CanaryTable } from "./canary-table";
import { PlanDecision } from "./plan-decision";
import { PlanStepDialog } from "./plan-dialogs";
import { PlanFace } from "./plan-face";
import { AnswersTable, LookUpProgress } from "./answers-table";
import { askedPlan, NOT_YOURS, ranPlan, sampleItem, samplePlan, sampleVerdict } from "./plan-facts.samples";
import { PlanItems } from "./plan-items";
import { PlanSelection } from "./plan-selection";
import { PlanView, ScopeChips } from "./plan-view";
import { PlansView } from "./plans-view";
import { PlanProgress } from "./plan-progress";

const ADDRESS = { path: "/plans", search: {} };
const ITEMS = { address: { path: "/plans/1", search: {} }, filters: { show: "all" } } as const;
const decide = (plan: Plan) => <PlanDecision plan={plan} />;
const step = (name: "start" | "approve" | "reject" | "abort" | "rerun" | "ask", plan: Plan) =>
  onConnection(<PlanStepDialog name={name} plan={plan} />);
const rows = (...items: readonly Parameters<typeof sampleItem>[0][]) => ({
  rows: items.map((changes, index) => sampleItem({ position: index + 1, ...changes })),
  at: SAMPLE_NOW,
});
const list = (view: Parameters<typeof PlansView>[0]["view"], state: readonly "ready"[] = []) =>
  onConnection(
    <PlansView
      view={view}
      filters={{ state }}
      problems={[]}
      address={ADDRESS}
      facts={{ page: "plans", tenant: "acme", views: [] }}
    />,
  );
const freeze = (kind: Plan["kind"]) =>
  onConnection(<FreezeDialog name="plan" kind={kind} many="4 selected operations" body={{ ids: [] }} />);

const answers = (plan: Plan) => plan.asking && <AnswersTable plan={plan} asking={plan.asking} />;
const canaryRow = (changes: Partial<Parameters<typeof CanaryTable>[0]["canary"]["rows"][number]>) => ({
  side: "outbox" as const,
  place: "webhook:shop",
  placeName: "Shop",
  messageId: "out-1",
  type: "payment.succeeded",
  at: "2026-11-22T14:02:09.000000Z",
  attempts: 0,
  paused: false,
  ...changes,
});
const HUGE = {
  minor: "99999999999999999",
  amount: "999999999999999.99",
  currency: "EUR",
  display: "€999,999,999,999,999.99",
};
const YEN = { minor: "500", amount: "500", currency: "JPY", display: "¥500" };

export const planParts: readonly Part[] = [
  {
    name: "AnswersTable",
    states: [
      {
        name: "asked, before anybody agrees",
        shows: answers(askedPlan()),
        says: [
          "What would become of them",
          "Would complete",
          "€612.40",
          "Would fail",
          "Still unknown",
          "left out of the run",
          "15",
          "€940.55",
        ],
        has: ['g[data-result="unknown"]'],
      },
      {
        name: "being asked",
        shows: answers(
          askedPlan({
            asking: {
              state: "asking",
              answers: [
                { answer: "not_asked", count: 1, amounts: [], results: NO_RESULTS, otherwise: 0 },
                { answer: "waiting", count: 14, amounts: [YEN], results: NO_RESULTS, otherwise: 0 },
              ],
            },
          }),
        ),
        says: ["Not asked yet", "No answer could be had: asked again when it runs", "¥500"],
      },
      {
        name: "ran, one answered otherwise, two currencies and a large amount",
        shows: answers(
          askedPlan({
            state: "done",
            startedAt: SAMPLE_NOW,
            endedAt: SAMPLE_NOW,
            asking: {
              state: "stopped",
              answers: [
                {
                  answer: "completes",
                  count: 2,
                  amounts: [HUGE, YEN],
                  results: { ...NO_RESULTS, succeeded: 1, declined: 1 },
                  otherwise: 1,
                },
                { answer: "frees", count: 1, amounts: [], results: { ...NO_RESULTS, done: 1 }, otherwise: 0 },
                { answer: "waiting", count: 1, amounts: [], results: { ...NO_RESULTS, waiting: 1 }, otherwise: 0 },
              ],
            },
          }),
        ),
        says: [
          "What the provider said before it ran",
          "1 settled as succeeded, 1 settled as declined; 1 answered otherwise",
          "€999,999,999,999,999.99 and ¥500",
          "Not asked",
        ],
        lacks: ["Not asked yet"],
      },
    ],
  },
  {
    name: "CanaryTable",
    states: [
      {
        name: "before it runs",
        shows: <CanaryTable now={SAMPLE_NOW} canary={{ state: "due", rows: [] }} />,
        hasNot: ["*"],
      },
      {
        name: "out, tried twice",
        shows: (
          <CanaryTable
            now={SAMPLE_NOW}
            canary={{ state: "due", rows: [canaryRow({ attempts: 2, lastError: "http.503" })] }}
          />
        ),
        says: [
          "Canary",
          "to see what becomes of it",
          "Waiting",
          "Still waiting since 14:02:09 UTC, tried twice, last error http.503.",
        ],
        lacks: ["mend the cause"],
        has: ['a[href="/outbox/out-1"]'],
      },
      {
        name: "two destinations, one failed",
        shows: (
          <CanaryTable
            now={SAMPLE_NOW}
            canary={{
              state: "failed",
              rows: [
                canaryRow({ answer: "delivered", detail: "delivered" }),
                canaryRow({
                  messageId: "out-2",
                  place: "mail",
                  placeName: undefined,
                  answer: "died",
                  detail: "http.410",
                }),
                canaryRow({ messageId: "in-1", side: "inbox", answer: "delivered", detail: "handled" }),
                canaryRow({ messageId: "out-3", answer: "silent", detail: "somebody discarded it" }),
                canaryRow({ messageId: "out-4", paused: true }),
              ],
            }}
          />
        ),
        says: [
          "Canaries",
          "one for each destination",
          "Came through",
          "Delivered.",
          "Handled.",
          "Died again: http.410.",
          "Did not come through: somebody discarded it.",
          "its topic is paused",
          "Look at why it failed, mend the cause, then plan the rest again.",
        ],
      },
    ],
  },
  {
    name: "LookUpProgress",
    states: [
      {
        name: "under way",
        shows: (
          <LookUpProgress
            asking={{
              state: "asking",
              beganAt: SAMPLE_NOW,
              answers: [
                { answer: "completes", count: 12, amounts: [], results: NO_RESULTS, otherwise: 0 },
                { answer: "waiting", count: 25, amounts: [], results: NO_RESULTS, otherwise: 0 },
              ],
            }}
          />
        ),
        says: ["12 of 37 looked up", "At most 20 a second; stops after 5 minutes."],
        has: ['[role="progressbar"][aria-valuenow="12"][aria-valuemax="37"]'],
      },
      {
        name: "no worker has begun",
        shows: <LookUpProgress asking={{ state: "asking", answers: [] }} />,
        says: ["Waits for a worker."],
      },
      { name: "ended", shows: <LookUpProgress asking={{ state: "asked", answers: [] }} />, hasNot: ["*"] },
    ],
  },
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
        says: ["The row under way ends", "What has acted is not taken back."],
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
  {
    name: "ItemVerdictTable",
    states: [
      {
        name: "before it runs",
        shows: <ItemVerdictTable plan={samplePlan()} />,
        says: ["What it would do", "one mark is one row", "Requeued under the same id", "A person looks at both"],
        lacks: ["Ended"],
      },
      {
        name: "while it runs",
        shows: <ItemVerdictTable plan={samplePlan({ startedAt: SAMPLE_NOW, state: "running" })} />,
        says: ["What it does", "Ended", "6 to go"],
      },
      {
        name: "after it ran, with more rows than marks",
        shows: (
          <ItemVerdictTable
            plan={ranPlan({ verdicts: [sampleVerdict({ count: 400, verdict: "processed" }, "done")] })}
          />
        ),
        says: ["What it did", "one mark is about 10 rows", "400 requeued"],
      },
      {
        name: "what each kind does",
        shows: (
          <ItemVerdictTable
            plan={samplePlan({
              kind: "reconcile_operations",
              verdicts: [
                sampleVerdict({ verdict: "ask" }),
                sampleVerdict({ verdict: "free" }),
                sampleVerdict({ verdict: "expired" }),
                sampleVerdict({ verdict: "processed" }),
                sampleVerdict({ verdict: "ask", acts: false }),
              ],
            })}
          />
        ),
        says: [
          "A final answer is stored",
          "nothing is sent",
          "Command and answer deleted",
          "Closed as delivered",
          "Left alone",
          "Leave: ",
        ],
      },
      {
        name: "discarded",
        shows: <ItemVerdictTable plan={samplePlan({ kind: "discard_dead_letters" })} />,
        says: ["Discarded; row"],
      },
    ],
  },
  {
    name: "PlanItems",
    states: [
      {
        name: "none in this view",
        shows: onConnection(<PlanItems plan={samplePlan()} {...ITEMS} />),
        says: ["No row of this plan matches.", "Waiting6", "Left alone2"],
        lacks: ["Failed", "Changed since", "Done"],
        hasNot: ["table"],
      },
      {
        name: "messages",
        shows: onConnection(<PlanItems plan={samplePlan({ items: rows({}) })} {...ITEMS} />),
        says: ["payment.succeeded", "Shop", "Nobody has recorded it.", "In their order, 50 a page"],
        lacks: ["Amount", "Ended", "only "],
        off: ["Newer", "Older"],
        has: ['a[href="/outbox/out-1"]'],
      },
      {
        name: "operations that were looked up in the dry run",
        shows: onConnection(
          <PlanItems
            plan={askedPlan({
              items: rows(
                {
                  label: { kind: "Payment", key: "order-7" },
                  verdict: "ask",
                  lookUp: "fails",
                  lookUpDetail: "declined: insufficient_funds",
                  lookedUpAt: SAMPLE_NOW,
                },
                {
                  label: { kind: "Payment", key: "order-8" },
                  verdict: "ask",
                  lookUp: "not_asked",
                  lookUpDetail: "down",
                },
                {
                  label: { kind: "Payment", key: "order-9" },
                  verdict: "ask",
                  lookUp: "fails",
                  result: "succeeded",
                  outcome: "Settled: it succeeded.",
                  otherwise: true,
                },
              ),
            })}
            {...ITEMS}
          />,
        ),
        says: [
          "Would fail",
          "The provider says: declined: insufficient_funds.",
          "Not asked: down.",
          "Settled: it succeeded. Answered otherwise than in the dry run (would fail).",
          "14:30:00",
        ],
        lacks: ["Outcome"],
        off: ["Newer", "Older"],
      },
      {
        name: "operations that were asked about",
        shows: onConnection(
          <PlanItems
            plan={ranPlan({
              kind: "reconcile_operations",
              changed: 1,
              results: { ...NO_RESULTS, succeeded: 1, unknown: 1, done: 1 },
              items: rows({
                label: { kind: "Payment", key: "order-7" },
                verdict: "ask",
                result: "succeeded",
                outcome: "Found.",
                endedAt: SAMPLE_NOW,
                amount: { minor: "1200", amount: "12.00", currency: "EUR", display: "€12.00" },
              }),
            })}
            address={ITEMS.address}
            filters={{ show: "all", verdict: "ask" }}
          />,
        ),
        says: ["Succeeded1", "Declined0", "Stayed unknown1", "€12.00", "Found.", "Ended", "Changed since1", ", only "],
        lacks: ["Nobody has recorded it."],
        off: ["Newer", "Older"],
        has: ['a[href^="/operations/"]'],
      },
      {
        name: "ended before they were reached",
        shows: onConnection(
          <PlanItems
            plan={ranPlan({ state: "aborted", counts: { waiting: 2, done: 4, skipped: 0, failed: 2 } })}
            {...ITEMS}
          />,
        ),
        says: ["Untouched2", "Done4", "Failed2", "Skipped2"],
      },
    ],
  },
  {
    name: "PlanFace",
    states: [
      {
        name: "quiet in glyph and word",
        shows: <PlanFace face={{ glyph: "skipped", tone: "quiet", word: "Left alone" }} />,
        says: ["Left alone"],
        has: ['svg[data-tone="quiet"]'],
      },
      {
        name: "stayed unknown is filled",
        shows: <PlanFace face={{ glyph: "UNKNOWN_REQUIRES_RECOVERY", tone: "doubt", word: "Stayed unknown" }} />,
        hasNot: ["span[data-tone]"],
      },
      {
        name: "any other has its tone",
        shows: <PlanFace face={{ glyph: "dead", tone: "broken", word: "Failed" }} />,
        has: ['span[data-tone="broken"]'],
      },
    ],
  },
  {
    name: "PlanView",
    states: [
      {
        name: "a filter that was frozen, not started",
        shows: onConnection(
          <PlanView plan={samplePlan({ chips: [{ name: "topic", value: "shop" }] })} problems={[]} {...ITEMS} />,
        ),
        says: ["Requeue dead letters: the filter below.", "Frozen filter", "Asked for by Ada"],
        hasNot: ['[role="progressbar"]'],
      },
      {
        name: "asked the provider, waits for approval",
        shows: onConnection(
          <PlanView
            plan={askedPlan({
              chips: [{ name: "state", value: "unknown" }],
              items: rows(
                {
                  label: { kind: "Payment", key: "till-7-88213-pay-1" },
                  verdict: "ask",
                  lookUp: "completes",
                  lookUpDetail: "succeeded",
                  lookedUpAt: SAMPLE_NOW,
                  amount: HUGE,
                },
                {
                  label: { kind: "Payment", key: "k".repeat(200) },
                  verdict: "ask",
                  lookUp: "fails",
                  lookUpDetail: "declined: insufficient_funds",
                  lookedUpAt: SAMPLE_NOW,
                  amount: YEN,
                },
                {
                  label: { kind: "Refund", key: "till-7-88213-ref-1" },
                  verdict: "ask",
                  lookUp: "unknown",
                  lookUpDetail: "the provider answered 503",
                  lookedUpAt: SAMPLE_NOW,
                  amount: YEN,
                },
              ),
            })}
            problems={[]}
            {...ITEMS}
          />,
        ),
        says: [
          "15 frozen. 9 would complete. 2 would fail. 4 are still unknown. 11 are left to run: €700.40.",
          "The provider answered 503.",
        ],
        off: ["Newer", "Older"],
      },
      {
        name: "a canary failed",
        shows: onConnection(
          <PlanView
            plan={ranPlan({
              state: "aborted",
              counts: { waiting: 5, done: 1, skipped: 2, failed: 0 },
              results: { ...NO_RESULTS, waiting: 5, done: 1, left: 2 },
              canary: { state: "failed", rows: [canaryRow({ answer: "died", detail: "http.410" })] },
            })}
            problems={[]}
            {...ITEMS}
          />,
        ),
        says: ["Aborted after 1 of 6 rows. The canary failed, nothing else ran. 5 rows stay untouched."],
      },
      {
        name: "the rest of another plan, ended",
        shows: onConnection(<PlanView plan={ranPlan({ rerunOf: "p0" })} problems={[]} {...ITEMS} />),
        says: ["6 of 6 ended"],
        lacks: ["the filter below"],
        has: ['[role="progressbar"]', 'a[href="/plans/p0"]'],
      },
      {
        name: "named rows, one filter left out",
        shows: onConnection(
          <PlanView plan={samplePlan()} problems={[{ name: "show", detail: "unknown" }]} {...ITEMS} />,
        ),
        says: ["Requeue dead letters: 8 dead letters.", "show"],
        hasNot: ['[aria-label="Frozen filter"]'],
      },
    ],
  },
  {
    name: "ScopeChips",
    states: [{ name: "no filter", shows: <ScopeChips chips={[]} />, hasNot: ["*"] }],
  },
  {
    name: "PlansView",
    states: [
      {
        name: "nobody made one",
        shows: list({ open: 0, approvals: 0, list: { kind: "page", rows: [], at: SAMPLE_NOW } }),
        says: ["No plan is open.", "No plan yet.", "Go to the dead letters"],
      },
      {
        name: "none in this state",
        shows: list({ open: 0, approvals: 0, list: { kind: "page", rows: [], at: SAMPLE_NOW } }, ["ready"]),
        says: ["No plan is in this state.", "Show all plans"],
      },
      {
        name: "not in time",
        shows: list({ open: 0, approvals: 0, list: { kind: "too_broad", stoppedAfterSeconds: 3 } }),
        says: ["could not be read in time", "It stopped after 3 s.", "Read again"],
      },
      {
        name: "some, one waits for a second person",
        shows: list({
          open: 2,
          approvals: 1,
          list: {
            kind: "page",
            rows: [
              samplePlan({ id: "p1", state: "awaiting_approval" }),
              ranPlan({ id: "p2" }),
              samplePlan({ id: "p3", state: "aborted", endedAt: SAMPLE_NOW }),
            ],
            next: "c2",
            at: SAMPLE_NOW,
          },
        }),
        says: ["2 plans are open. 1 waits for a second person.", "not started", "never ran", "4 requeued, 2 failed"],
        off: ["Newer"],
        has: ['a[href*="cursor=c2"]', '[role="progressbar"]'],
      },
    ],
  },
  {
    name: "PlanSelection",
    states: [
      {
        name: "what this person may not is off, with the reason",
        shows: (
          <PlanSelection
            search=""
            kinds={[{ kind: "reconcile_operations" }, { kind: "purge_bodies", whyNot: "You need the role admin." }]}
          />
        ),
        says: ["Plan a reconcile", "You need the role admin."],
        off: ["Plan a purge"],
      },
    ],
  },
  {
    name: "Marks",
    states: [
      {
        name: "a mark a row",
        shows: (
          <Marks
            most={3}
            parts={[
              { result: "succeeded", count: 2 },
              { result: "unknown", count: 1 },
            ]}
          />
        ),
        has: ['g:nth-child(2)[data-result="succeeded"]', 'g:nth-child(3)[data-result="unknown"]'],
        hasNot: ["g:nth-child(4)"],
      },
      {
        name: "many rows share their marks, and the few keep one",
        shows: (
          <>
            <Marks
              most={4_000}
              parts={[
                { result: "succeeded", count: 4_000 },
                { result: "failed", count: 1 },
                { result: "left", count: 0 },
              ]}
            />{" "}
            {rowsPerMark(4_000)}
          </>
        ),
        says: ["100"],
        has: ['g:nth-child(40)[data-result="succeeded"]', 'g:nth-child(41)[data-result="failed"]'],
        hasNot: ["g:nth-child(42)"],
      },
    ],
  },
  {
    name: "PlanProgress",
    states: [
      {
        name: "under way",
        shows: (
          <PlanProgress kind="requeue_dead_letters" ended={false} results={{ ...NO_RESULTS, done: 3, waiting: 5 }} />
        ),
        says: ["3 of 8 ended"],
        has: ['[role="progressbar"][aria-valuenow="3"][aria-valuemax="8"]'],
      },
      {
        name: "what was left alone is not in the bar",
        shows: <PlanProgress kind="requeue_dead_letters" ended results={{ ...NO_RESULTS, done: 3, left: 4 }} />,
        says: ["3 of 3 ended"],
      },
      {
        name: "in a cell",
        shows: (
          <PlanProgress
            small
            kind="requeue_dead_letters"
            ended={false}
            results={{ ...NO_RESULTS, done: 1, waiting: 1 }}
          />
        ),
        hasNot: ["p"],
        has: ["[data-small]"],
      },
    ],
  },
];
