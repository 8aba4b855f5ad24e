import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import {
  askedPlan,
  ranPlan,
  samplePlan,
  sampleCanaryRow,
  HUGE_AMOUNT,
  YEN_AMOUNT,
  ITEMS_PROPS,
  samplePlanItems,
} from "./plan-facts.samples";
import { PlanSelection } from "./plan-selection";
import { PlanView, ScopeChips } from "./plan-view";
import { PlansView } from "./plans-view";
import { PlanProgress } from "./plan-progress";

const ADDRESS = { path: "/plans", search: {} };
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

export const planParts: readonly Part[] = [
  {
    name: "PlanView",
    states: [
      {
        name: "a filter that was frozen, not started",
        shows: onConnection(
          <PlanView plan={samplePlan({ chips: [{ name: "topic", value: "shop" }] })} problems={[]} {...ITEMS_PROPS} />,
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
              items: samplePlanItems(
                {
                  label: { kind: "Payment", key: "till-7-88213-pay-1" },
                  verdict: "ask",
                  lookUp: "completes",
                  lookUpDetail: "succeeded",
                  lookedUpAt: SAMPLE_NOW,
                  amount: HUGE_AMOUNT,
                },
                {
                  label: { kind: "Payment", key: "k".repeat(200) },
                  verdict: "ask",
                  lookUp: "fails",
                  lookUpDetail: "declined: insufficient_funds",
                  lookedUpAt: SAMPLE_NOW,
                  amount: YEN_AMOUNT,
                },
                {
                  label: { kind: "Refund", key: "till-7-88213-ref-1" },
                  verdict: "ask",
                  lookUp: "unknown",
                  lookUpDetail: "the provider answered 503",
                  lookedUpAt: SAMPLE_NOW,
                  amount: YEN_AMOUNT,
                },
              ),
            })}
            problems={[]}
            {...ITEMS_PROPS}
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
              canary: { state: "failed", rows: [sampleCanaryRow({ answer: "died", detail: "http.410" })] },
            })}
            problems={[]}
            {...ITEMS_PROPS}
          />,
        ),
        says: ["Aborted after 1 of 6 rows. The canary failed, nothing else ran. 5 rows stay untouched."],
      },
      {
        name: "the rest of another plan, ended",
        shows: onConnection(<PlanView plan={ranPlan({ rerunOf: "p0" })} problems={[]} {...ITEMS_PROPS} />),
        says: ["6 of 6 ended"],
        lacks: ["the filter below"],
        has: ['[role="progressbar"]', 'a[href="/plans/p0"]'],
      },
      {
        name: "named rows, one filter left out",
        shows: onConnection(
          <PlanView plan={samplePlan()} problems={[{ name: "show", detail: "unknown" }]} {...ITEMS_PROPS} />,
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
        name: "none is kept",
        shows: list({ open: 0, approvals: 0, list: { kind: "page", rows: [], at: SAMPLE_NOW } }),
        says: ["No plan is open.", "No plan is kept.", "Go to the dead letters"],
      },
      {
        name: "none in this state",
        shows: list({ open: 0, approvals: 0, list: { kind: "page", rows: [], at: SAMPLE_NOW } }, ["ready"]),
        says: ["No plan matches.", "Show all plans"],
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
