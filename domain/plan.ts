import { formatCount } from "./display-time";

/** Bulk work as a plan (C.6): its kinds, its states, its bounds, and who may take which step. Pure. */
export const PLAN_KINDS = ["requeue_dead_letters", "discard_dead_letters"] as const;
export type PlanKindName = (typeof PLAN_KINDS)[number];

export const PLAN_STATES = ["ready", "awaiting_approval", "rejected", "running", "aborted", "done"] as const;
export type PlanState = (typeof PLAN_STATES)[number];

export const PLAN_ITEM_STATES = ["waiting", "done", "skipped", "failed"] as const;
export type PlanItemState = (typeof PLAN_ITEM_STATES)[number];

/** Rows that one plan freezes at the most; a wider filter is narrowed. */
export const PLAN_MAX_ITEMS = 10_000;
/** Ids that somebody may name one by one. */
export const PLAN_MAX_IDS = 500;
/** Rows that would act from which a second person is asked. What cannot be taken back asks earlier. */
export const APPROVAL_FROM: Readonly<Record<PlanKindName, number>> = {
  requeue_dead_letters: 100,
  discard_dead_letters: 25,
};
/** Rows of one plan that act in one go, and how long it rests after that, ms: 50 a second at the most, however many workers run. */
export const PLAN_ROWS_PER_TURN = 25;
export const PLAN_REST_MS = 500;

/** @returns why a second person has to agree; undefined: nobody has to */
export function approvalNeeded(kind: PlanKindName, acting: number): string | undefined {
  const from = APPROVAL_FROM[kind];
  return acting >= from
    ? `${formatCount(acting)} rows would act; from ${formatCount(from)} a second person agrees`
    : undefined;
}

/** Seconds that a run of so many rows takes at the least. */
export function planSeconds(rows: number): number {
  return Math.ceil((Math.ceil(rows / PLAN_ROWS_PER_TURN) * PLAN_REST_MS) / 1_000);
}

export type PlanStep = "start" | "decide" | "abort" | "rerun";

export interface PlanFacts {
  readonly state: PlanState;
  /** Rows that have not ended. */
  readonly waiting: number;
  /** Rows that failed, or that were skipped. */
  readonly left: number;
  /** Whoever asks is who asked for it. */
  readonly own: boolean;
}

const ENDED: Readonly<Record<PlanState, string | undefined>> = {
  ready: undefined,
  awaiting_approval: undefined,
  running: undefined,
  rejected: "It was rejected.",
  aborted: "It was aborted.",
  done: "It has ended.",
};

/** @returns why a step of a plan cannot be taken now; undefined: it can. The database decides again. */
export function whyNotStep(step: PlanStep, plan: PlanFacts): string | undefined {
  switch (step) {
    case "start":
      if (plan.state === "awaiting_approval") return "A second person has to agree first.";
      if (plan.state === "running") return "It is running.";
      return ENDED[plan.state] ?? (plan.waiting === 0 ? "None of its rows would act." : undefined);
    case "decide":
      if (plan.state !== "awaiting_approval") return ENDED[plan.state] ?? "It waits for nobody's approval.";
      return plan.own ? "You asked for it: another person has to agree." : undefined;
    case "abort":
      return ENDED[plan.state];
    case "rerun":
      if (ENDED[plan.state] === undefined) return "It has not ended.";
      return plan.left === 0 ? "No row failed or was skipped." : undefined;
  }
}
