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
