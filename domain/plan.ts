import { formatCount } from "./display-time";
import { displayMoney, minorDigits } from "./money";
import type { Action } from "./permission";

/** Bulk work as a plan (C.6): its kinds, its states, its bounds, and who may take which step. Pure. */
export const PLAN_KINDS = [
  "requeue_dead_letters",
  "discard_dead_letters",
  "reconcile_operations",
  "release_operations",
  "purge_bodies",
] as const;
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
  reconcile_operations: 25,
  release_operations: 25,
  purge_bodies: 25,
};
/** Whole units of any currency from which a second person is asked, where the rows of a kind stand for money (LOOK §11). */
export const APPROVAL_AMOUNT_UNITS = 10_000n;
/** A body is no money: its purge is judged by its count alone. */
const COUNTS_MONEY: Readonly<Record<PlanKindName, boolean>> = {
  requeue_dead_letters: true,
  discard_dead_letters: true,
  reconcile_operations: true,
  release_operations: true,
  purge_bodies: false,
};
/** What whoever makes or starts a plan must also be allowed to do to one row. */
export const PLAN_PERMISSIONS: Readonly<Record<PlanKindName, Action>> = {
  requeue_dead_letters: "outbox.requeue",
  discard_dead_letters: "outbox.discard",
  reconcile_operations: "operations.reconcile",
  release_operations: "operations.release",
  purge_bodies: "operations.purge_body",
};
/** Rows of one plan that act in one go, and how long it rests after that, ms: 50 a second at the most, however many workers run. */
export const PLAN_ROWS_PER_TURN = 25;
export const PLAN_REST_MS = 500;

/** What the rows of a plan that would act are worth, one entry per currency. */
export interface PlanAmount {
  readonly currency: string;
  /** Minor units. */
  readonly minor: bigint;
}

/** @returns why a second person has to agree, by count and by money per currency; undefined: nobody has to */
export function approvalNeeded(
  kind: PlanKindName,
  acting: number,
  amounts: readonly PlanAmount[] = [],
): string | undefined {
  const from = APPROVAL_FROM[kind];
  const reasons = acting >= from ? [`${formatCount(acting)} rows would act, from ${formatCount(from)}`] : [];
  for (const { currency, minor } of COUNTS_MONEY[kind] ? amounts : []) {
    const limit = APPROVAL_AMOUNT_UNITS * 10n ** BigInt(minorDigits(currency));
    if (minor >= limit)
      reasons.push(`${displayMoney(minor, currency)} is touched, from ${displayMoney(limit, currency)}`);
  }
  return reasons.length === 0 ? undefined : reasons.map((why) => `${why} a second person agrees`).join("; ");
}

/** @returns the money of what would act, by currency, in the order of first sight */
export function sumAmounts(
  rows: readonly { readonly acts: boolean; readonly amount?: PlanAmount | undefined }[],
): readonly PlanAmount[] {
  const sums = new Map<string, bigint>();
  for (const { acts, amount } of rows)
    if (acts && amount !== undefined) sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + amount.minor);
  return [...sums].map(([currency, minor]) => ({ currency, minor }));
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
