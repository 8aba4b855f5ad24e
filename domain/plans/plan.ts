import type { Action } from "../access/permission";

/** Bulk work as a plan: its kinds, its states, its bounds, and who may take which step. Pure. */
interface PlanKindRules {
  /** Rows that would act from which a second person is asked. What cannot be taken back asks earlier. */
  readonly approvalFrom: number;
  /** What whoever makes or starts a plan must also be allowed to do to one row. */
  readonly permission: Action;
  /** A body is no money: its purge is judged by its count alone. */
  readonly countsMoney: boolean;
  /** Its dry run asks the provider about each row (domain/plans/look-ups.ts). */
  readonly asks: boolean;
}

export const PLAN_RULES = {
  requeue_dead_letters: { approvalFrom: 100, permission: "outbox.requeue", countsMoney: true, asks: false },
  discard_dead_letters: { approvalFrom: 25, permission: "outbox.discard", countsMoney: true, asks: false },
  reconcile_operations: { approvalFrom: 25, permission: "operations.reconcile", countsMoney: true, asks: true },
  release_operations: { approvalFrom: 25, permission: "operations.release", countsMoney: true, asks: false },
  purge_bodies: { approvalFrom: 25, permission: "operations.purge_body", countsMoney: false, asks: false },
  // It was acknowledged once, so a receiver that knows no ids may act twice, and a copy that was sent cannot be taken back.
  republish_messages: { approvalFrom: 25, permission: "outbox.republish", countsMoney: true, asks: false },
  // Rows of an attached database, through the functions that its owner installed.
  requeue_attached: { approvalFrom: 100, permission: "attached.requeue", countsMoney: false, asks: false },
  discard_attached: { approvalFrom: 25, permission: "attached.discard", countsMoney: false, asks: false },
  // Each row of the plan is a batch of theirs; the rows of all batches are counted.
  purge_attached: { approvalFrom: 25, permission: "attached.purge", countsMoney: false, asks: false },
  // One decision by hand that one person may not make alone, asked for by a proposal of its own.
  resolve_operations: { approvalFrom: 1, permission: "operations.resolve", countsMoney: true, asks: false },
  // One message, made by a proposal of its own, never alone.
  correct_dead_letter: { approvalFrom: 1, permission: "outbox.correct", countsMoney: false, asks: false },
} as const satisfies Readonly<Record<string, PlanKindRules>>;
export type PlanKindName = keyof typeof PLAN_RULES;
export const PLAN_KINDS = Object.keys(PLAN_RULES) as readonly PlanKindName[];

/** Sent by whoever approves it, in the same transaction: never started, run by the worker, or made from a filter. */
export const CORRECTION_KIND = "correct_dead_letter" satisfies PlanKindName;
/** Why a correction is not planned again: its body is gone. */
export const CORRECTION_AGAIN = "Its body was deleted when the plan ended: correct the message again on its own page.";
/** Made from one decision, which its filter keeps: never from a filter of rows, and not planned again without a decision. */
export const RESOLVE_KIND = "resolve_operations" satisfies PlanKindName;
/** Why a decision is not planned again. */
export const RESOLVE_AGAIN = "A decision is not planned again: decide anew on the page of its operation.";
/** Kinds that freeze the rows of a filter or of named ids. */
export type BulkKindName = Exclude<PlanKindName, typeof CORRECTION_KIND | typeof RESOLVE_KIND>;
export const BULK_KINDS: readonly BulkKindName[] = PLAN_KINDS.filter(
  (kind) => kind !== CORRECTION_KIND && kind !== RESOLVE_KIND,
);

/** Kinds that act in an attached database. */
export type AttachedKindName = "requeue_attached" | "discard_attached" | typeof PURGE_ATTACHED_KIND;
/** Deletes finished rows of an attached database in batches: a row of such a plan is a batch. */
export const PURGE_ATTACHED_KIND = "purge_attached" satisfies PlanKindName;
export const isAttachedKind = (kind: PlanKindName): kind is AttachedKindName =>
  kind === "requeue_attached" || kind === "discard_attached" || kind === PURGE_ATTACHED_KIND;
/** Why a purge is not planned again: what is left was counted a while ago. */
export const PURGE_AGAIN = "Its rows are counted anew by a new plan, from the page of retention of its source.";

/** @returns why a plan of this kind is not planned again, whatever its rows are */
export function whyNotAgain(kind: PlanKindName): string | undefined {
  if (kind === CORRECTION_KIND) return CORRECTION_AGAIN;
  if (kind === PURGE_ATTACHED_KIND) return PURGE_AGAIN;
  return kind === RESOLVE_KIND ? RESOLVE_AGAIN : undefined;
}

export const PLAN_STATES = ["ready", "awaiting_approval", "rejected", "running", "aborted", "done"] as const;
export type PlanState = (typeof PLAN_STATES)[number];

export const PLAN_ITEM_STATES = ["waiting", "done", "skipped", "failed"] as const;
export type PlanItemState = (typeof PLAN_ITEM_STATES)[number];

/** Rows that one plan freezes at the most; a wider filter is narrowed. */
export const PLAN_MAX_ITEMS = 10_000;
/** Dead rows of an attached database that one plan freezes: they are read over somebody else's connection, while ours waits. */
export const MAX_ATTACHED_ROWS = 1_000;
/** Ids that somebody may name one by one. */
export const PLAN_MAX_IDS = 500;
/** Whole units of any currency from which a second person is asked, where the rows of a kind stand for money. */
export const APPROVAL_AMOUNT_UNITS = 10_000n;
/** Minutes within which what the same person ran counts towards the threshold of the next plan of its kind. */
export const PLAN_TOGETHER_MINUTES = 60;
/** A plan that nobody agreed to or started for so many days expires: its verdicts are stale, whoever asked has forgotten it. */
export const PLAN_EXPIRES_DAYS = 7;
/** Who ends a plan that expires. */
export const PLAN_EXPIRED_BY = "system:expiry";
/** Rows of one plan that act in one go, and how long it rests after that, ms: 50 a second at the most, however many workers run. */
export const PLAN_ROWS_PER_TURN = 25;
export const PLAN_REST_MS = 500;

/** What the rows of a plan that would act are worth, one entry per currency. */
export interface PlanAmount {
  readonly currency: string;
  /** Minor units. */
  readonly minor: bigint;
}

export interface PlanPart {
  readonly acting: number;
  readonly amounts: readonly PlanAmount[];
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

/** @returns the whole seconds that a plan rests at the least: between its turns, not after the last one */
export function planSeconds(rows: number): number {
  return Math.floor((Math.max(0, Math.ceil(rows / PLAN_ROWS_PER_TURN) - 1) * PLAN_REST_MS) / 1_000);
}

export type PlanStep = "start" | "decide" | "abort" | "rerun" | "ask";

export interface PlanFacts {
  readonly kind?: PlanKindName | undefined;
  readonly state: PlanState;
  /** Rows that have not ended. */
  readonly waiting: number;
  /** Rows that it did not do and that would act if they were planned again. */
  readonly again: number;
  /** Of a plan that asks: rows without a final answer, and whether it asks now. */
  readonly unanswered?: number | undefined;
  readonly asking?: boolean | undefined;
  /** Why whoever looks is no second person. */
  readonly own?: OwnPlan | undefined;
  /** It waited longer than PLAN_EXPIRES_DAYS. */
  readonly expired?: boolean | undefined;
}

/** Why a plan that waited too long cannot go on. */
export const EXPIRED_WORDS = `For ${String(PLAN_EXPIRES_DAYS)} days nobody approved or started it: it has expired.`;
/** How the database finds that two actors may be one person. */
export type SamePerson = "own" | "tied" | "anybody";

/**
 * Whoever looks is who asked for a plan: by themselves, or with a key of a client whose key they made or hold; or counts as the same person
 * (`tied`, with the sentence that says why); or nobody can know, because a key that names no holder asked (`anybody`).
 */
export type OwnPlan = { readonly by: "self" | "key" | "anybody" } | { readonly by: "tied"; readonly why: string };

const OWN_WORDS = {
  self: "You asked for it: another person must approve.",
  key: "It was asked for with a key of a client that you made or hold a key of: another person must approve.",
  anybody: "It was asked for with a key that names no holder, so that anybody may have asked: nobody can approve it.",
} as const;

/** @returns why somebody is no second person, as a sentence */
export function ownWords(own: OwnPlan): string {
  return own.by === "tied" ? own.why : OWN_WORDS[own.by];
}

/** What one item of a plan is: a purge of an attached database has batches of rows. */
export const unitOf = (kind: PlanKindName | undefined): "row" | "batch" =>
  kind === PURGE_ATTACHED_KIND ? "batch" : "row";
export const unitsOf = (kind: PlanKindName | undefined): "rows" | "batches" =>
  kind === PURGE_ATTACHED_KIND ? "batches" : "rows";

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
      if (plan.state === "running") return "It is running.";
      if (ENDED[plan.state] === undefined && plan.expired === true) return EXPIRED_WORDS;
      if (plan.state === "awaiting_approval") return "A second person must approve first.";
      return ENDED[plan.state] ?? (plan.waiting === 0 ? `None of its ${unitsOf(plan.kind)} would act.` : undefined);
    case "decide":
      if (plan.state !== "awaiting_approval") return ENDED[plan.state] ?? "It waits for nobody's approval.";
      // Nobody can approve it then, so nobody is sent to another person.
      if (plan.expired === true) return EXPIRED_WORDS;
      return plan.own === undefined ? undefined : ownWords(plan.own);
    case "ask":
      if (plan.state === "running") return "It is running.";
      if (plan.asking === true) return "The provider is being asked now.";
      return ENDED[plan.state] ?? (plan.unanswered === 0 ? "Every row has its answer." : undefined);
    case "abort":
      return ENDED[plan.state];
    case "rerun":
      if (ENDED[plan.state] === undefined) return "It has not ended.";
      return plan.again === 0 ? `None of its ${unitsOf(plan.kind)} would act now.` : undefined;
  }
}
