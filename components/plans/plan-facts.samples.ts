import { SAMPLE_ID, SAMPLE_NOW } from "@/components/parts/part";
import type { PlanResult } from "@/domain/plans/plan-results";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import type { ActionView } from "@/presentation/views/common";
import type { PlanItemRow, PlanView, PlanVerdictRow } from "@/presentation/views/plans";

const AT = "2026-11-22T14:02:09.000000Z";
const may = (whyNot?: string): ActionView => ({
  action: "start_plan",
  label: "",
  allowed: whyNot === undefined,
  whyNot,
});
export const NOT_YOURS = may("You asked for it yourself.");

/** A plan of eight rows that may be started, with changes. */
export function samplePlan(changes: Partial<PlanView> = {}): PlanView {
  return {
    at: SAMPLE_NOW,
    id: SAMPLE_ID,
    kind: "requeue_dead_letters",
    state: "ready",
    scope: "8 dead letters",
    reason: "The consumer is mended.",
    total: 8,
    amounts: [],
    counts: { waiting: 6, done: 0, skipped: 2, failed: 0 },
    results: { ...NO_RESULTS, waiting: 6, left: 2 },
    expired: false,
    createdAt: AT,
    createdBy: "Ada",
    byKey: false,
    chips: [],
    acting: 6,
    stillUnknown: 0,
    verdicts: [sampleVerdict({}), sampleVerdict({ verdict: "mismatch", acts: false, count: 2 }, "left")],
    changed: 0,
    items: { rows: [], at: SAMPLE_NOW },
    actions: { start: may(), decide: may(), abort: may(), rerun: may(), ask: may() },
    ...changes,
  };
}

/** The same after it ran: four rows done, two failed, two left alone. */
export function ranPlan(changes: Partial<PlanView> = {}): PlanView {
  return samplePlan({
    state: "done",
    startedAt: AT,
    startedBy: "Grace",
    endedAt: SAMPLE_NOW,
    counts: { waiting: 0, done: 4, skipped: 2, failed: 2 },
    results: { ...NO_RESULTS, done: 4, failed: 2, left: 2 },
    ...changes,
  });
}

export function sampleVerdict(changes: Partial<PlanVerdictRow>, result: PlanResult = "waiting"): PlanVerdictRow {
  const count = changes.count ?? 6;
  return {
    verdict: "safe",
    acts: true,
    count,
    counts: { waiting: count, done: 0, skipped: 0, failed: 0 },
    results: { ...NO_RESULTS, [result]: count },
    ...changes,
  };
}

export function sampleItem(changes: Partial<PlanItemRow>): PlanItemRow {
  return {
    position: 1,
    targetId: SAMPLE_ID,
    label: { side: "outbox", messageId: "out-1", type: "payment.succeeded", place: "webhook:shop", placeName: "Shop" },
    verdict: "safe",
    verdictReason: "Nobody has recorded it.",
    state: "waiting",
    result: "waiting",
    changed: false,
    ...changes,
  };
}

const EUR = (minor: string, display: string) => ({
  minor,
  amount: display.slice(1).replace(",", ""),
  currency: "EUR",
  display,
});

/** A plan of fifteen reconciles whose dry run has asked the provider. */
export function askedPlan(changes: Partial<PlanView> = {}): PlanView {
  const answer = (row: Omit<NonNullable<PlanView["asking"]>["answers"][number], "results" | "otherwise">) => ({
    ...row,
    results: { ...NO_RESULTS, waiting: row.count },
    otherwise: 0,
  });
  const of = { result: "waiting", verdict: "ask", now: "acts" } as const;
  return samplePlan({
    kind: "reconcile_operations",
    state: "awaiting_approval",
    scope: "15 selected rows",
    reason: "Northpay reports the outage over since 14:09.",
    approvalNeeded: "€10,940.55 is at stake: €940.55 above €10,000.00, from which two people decide.",
    total: 15,
    acting: 15,
    amounts: [EUR("94055", "€940.55")],
    counts: { waiting: 15, done: 0, skipped: 0, failed: 0 },
    results: { ...NO_RESULTS, waiting: 15 },
    verdicts: [sampleVerdict({ verdict: "ask", count: 15 })],
    asking: {
      state: "asked",
      beganAt: AT,
      endedAt: AT,
      answers: [
        answer({ answer: "completes", count: 9, amounts: [EUR("61240", "€612.40")] }),
        answer({ answer: "fails", count: 2, amounts: [EUR("8800", "€88.00")] }),
        answer({ answer: "unknown", count: 4, amounts: [EUR("24015", "€240.15")] }),
      ],
    },
    rest: [
      { ...of, count: 9, lookUp: "completes", amounts: [EUR("61240", "€612.40")] },
      { ...of, count: 2, lookUp: "fails", amounts: [EUR("8800", "€88.00")] },
      { ...of, count: 4, lookUp: "unknown", amounts: [EUR("24015", "€240.15")] },
    ],
    ...changes,
  });
}

export const HUGE_AMOUNT = {
  minor: "99999999999999999",
  amount: "999999999999999.99",
  currency: "EUR",
  display: "€999,999,999,999,999.99",
};

export const YEN_AMOUNT = { minor: "500", amount: "500", currency: "JPY", display: "¥500" };

export const ITEMS_PROPS = { address: { path: "/plans/1", search: {} }, filters: { show: "all" } } as const;

/** Items of a plan in their order. */
export const samplePlanItems = (...items: readonly Parameters<typeof sampleItem>[0][]) => ({
  rows: items.map((changes, index) => sampleItem({ position: index + 1, ...changes })),
  at: SAMPLE_NOW,
});

/** A row that tries what failed before the others. */
export const sampleCanaryRow = (changes: Partial<NonNullable<PlanView["canary"]>["rows"][number]>) => ({
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
