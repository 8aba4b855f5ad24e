import type { OutlookCounts } from "@/presentation/message/outlook";
import type { GlyphName, Tone } from "@/presentation/format/glyph";
import type { ResultCounts } from "@/presentation/plan/plan-results";
import type { ChangedPath } from "@/domain/messages/correction";
import type { MessageSide } from "@/domain/messages/side";
import type { CanaryAnswer, CanaryState } from "@/domain/plans/canary";
import type { LookUpAnswer, LookUpState } from "@/domain/plans/look-ups";
import type { PlanItemState, PlanKindName, PlanState, PlanStep } from "@/domain/plans/plan";
import type { NotSecond } from "@/presentation/plan/plan-approval";
import type { ScopeChip } from "@/presentation/plan/plan-words";
import type { ActionView, Listed, MoneyView, Page } from "./common";
import type { PlanResult } from "@/domain/plans/plan-results";
import type { PlanItemVerdict } from "@/domain/plans/item-verdicts";

export interface PlansView {
  readonly list: Listed<PlanRow>;
  /** Plans that have not ended, among the newest. */
  readonly open: number;
  /** Of these, those that wait for a second person. */
  readonly approvals: number;
}

export interface PlanRow {
  readonly id: string;
  readonly kind: PlanKindName;
  readonly state: PlanState;
  readonly scope: string;
  readonly reason: string;
  readonly total: number;
  /** What the rows are worth that the dry run let act, by currency. */
  readonly amounts: readonly MoneyView[];
  readonly approvalNeeded?: string | undefined;
  readonly counts: Readonly<Record<PlanItemState, number>>;
  /** The same rows by what became of them. */
  readonly results: ResultCounts;
  /** Nobody approved or started it in time: it was aborted automatically, or will be. */
  readonly expired: boolean;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly byKey: boolean;
  /** While it waits for a second person: who is none. */
  readonly notSecond?: NotSecond | undefined;
  readonly startedAt?: string | undefined;
  readonly startedBy?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly endedBy?: string | undefined;
  readonly decidedAt?: string | undefined;
  readonly decidedBy?: string | undefined;
  readonly decisionReason?: string | undefined;
}

/** What a plan sends in place of a dead message; never a value of a body. */
export interface PlanCorrection {
  readonly messageId: string;
  /** Once it was sent. */
  readonly newMessageId?: string | undefined;
  readonly changes: readonly ChangedPath[];
  /** Of the corrected body. */
  readonly bytes: number;
  /** While it waits: why it could not be sent now. */
  readonly whyNot?: string | undefined;
  /** While it waits: what is known of the receiver of the dead message. */
  readonly note?: string | undefined;
  /** Opens the values of the difference. */
  readonly reveal: ActionView;
}

interface JudgedPlan extends PlanRow {
  /** Of an edit and requeue. */
  readonly correction?: PlanCorrection | undefined;
  readonly chips: readonly ScopeChip[];
  /** What its filter would match now, against what was frozen; missing for named rows and once it ran. */
  readonly drift?: ScopeDrift | undefined;
  /** Rows that the dry run let act. */
  readonly acting: number;
  readonly verdicts: readonly PlanVerdictRow[];
  /** What it did not do, as it is now; missing while it runs, and of more rows than a page judges. */
  readonly rest?: readonly PlanRestRow[] | undefined;
  /** Of a plan whose dry run asks the provider. */
  readonly asking?: PlanAsking | undefined;
}

/** How far the look-ups of a dry run came, and what they learned. */
export interface PlanAsking {
  readonly state: LookUpState;
  readonly beganAt?: string | undefined;
  readonly endedAt?: string | undefined;
  /** Rows by answer, in the order of the answers; those that were left alone from the beginning are not among them. */
  readonly answers: readonly PlanAnswerRow[];
}

export interface PlanAnswerRow {
  readonly answer: LookUpAnswer;
  readonly count: number;
  /** What these rows are worth, by currency. */
  readonly amounts: readonly MoneyView[];
  readonly results: ResultCounts;
  /** Of them, those whose provider answered otherwise when the plan ran. */
  readonly otherwise: number;
}

export interface PlanView extends JudgedPlan {
  readonly at: string;
  /** The plan whose rest this is. */
  readonly rerunOf?: string | undefined;
  readonly owner?: string | undefined;
  /** Of a requeue: whether its rows would get through, as the dry run saw it. */
  readonly outlooks?: OutlookCounts | undefined;
  /** Of a requeue that lets some rows go first. */
  readonly canary?: PlanCanary | undefined;
  /** Of a plan over an attached database that does not run: whether its rows that are left were asked about for this page. */
  readonly theirs?: PlanTheirs | undefined;
  /** Of the skipped: the provider was asked and the outcome stayed unknown. */
  readonly stillUnknown: number;
  /** Rows that ended otherwise than the dry run said. */
  readonly changed: number;
  readonly items: Page<PlanItemRow>;
  readonly actions: Readonly<Record<PlanStep, ActionView>>;
}

export interface PlanTheirs {
  readonly asked: boolean;
  /** Why not; batches of a purge are not counted again. */
  readonly because?: string | undefined;
}

/** The rows of a plan that go first, one for each destination, and what became of them. */
export interface PlanCanary {
  readonly state: CanaryState;
  /** None before it runs. */
  readonly rows: readonly PlanCanaryRow[];
}

export interface PlanCanaryRow {
  readonly side: MessageSide;
  readonly place: string;
  readonly placeName?: string | undefined;
  readonly messageId: string;
  readonly type: string;
  /** When it was requeued. */
  readonly at: string;
  readonly answer?: CanaryAnswer | undefined;
  readonly detail?: string | undefined;
  readonly answeredAt?: string | undefined;
  /** Attempts that ended since, and the error of the last, while it has no answer. */
  readonly attempts: number;
  readonly lastError?: string | undefined;
  readonly paused: boolean;
}

/** Rows that a plan did not do, by what became of them and what they are now. */
export interface PlanRestRow {
  readonly result: PlanResult;
  /** Of a dry run now. */
  readonly verdict: PlanItemVerdict;
  /** It would act; somebody else settled it, or it is gone; it is open and would be left alone. */
  readonly now: "acts" | "settled" | "left";
  /** Who settled it: "by Ada", "by a plan of Ada", "automatically". */
  readonly by?: string | undefined;
  /** What its dry run was answered. */
  readonly lookUp?: LookUpAnswer | undefined;
  /** What these rows are worth, by currency. */
  readonly amounts?: readonly MoneyView[] | undefined;
  readonly count: number;
}

export interface ScopeDrift {
  readonly matching: number;
  /** Of them, not in the plan: it does not touch them. */
  readonly added: number;
  /** In the plan, and do not match any more: their rows are judged again and most likely skipped. */
  readonly gone: number;
  /** True: more match than a plan holds, so the numbers are "at least". */
  readonly atLeast: boolean;
}

export interface ApprovalsView {
  /** Who waits longest first, at most 20. */
  readonly waiting: readonly ApprovalRow[];
  /** How many wait in all. */
  readonly count: number;
  readonly decided: readonly PlanRow[];
  readonly at: string;
}

export interface ApprovalRow extends JudgedPlan {
  readonly own: boolean;
  readonly decide: ActionView;
}

export interface PlanVerdictRow {
  readonly verdict: PlanItemVerdict;
  readonly acts: boolean;
  readonly count: number;
  readonly counts: Readonly<Record<PlanItemState, number>>;
  readonly results: ResultCounts;
}

export interface PlanItemRow {
  readonly position: number;
  readonly targetId: string;
  readonly label: Readonly<Record<string, string>>;
  readonly verdict: PlanItemVerdict;
  readonly verdictReason: string;
  readonly state: PlanItemState;
  readonly result: PlanResult;
  readonly outcome?: string | undefined;
  readonly amount?: MoneyView | undefined;
  readonly endedAt?: string | undefined;
  readonly changed: boolean;
  /** What the provider said before the plan ran, in its own words, and when. */
  readonly lookUp?: LookUpAnswer | undefined;
  readonly lookUpDetail?: string | undefined;
  readonly lookedUpAt?: string | undefined;
  /** It said something else when the plan ran. */
  readonly otherwise?: boolean | undefined;
}

export interface Face {
  readonly glyph: GlyphName;
  readonly tone: Tone;
  readonly word: string;
}

const PLAN_FACES: Readonly<Record<PlanState, Face>> = {
  ready: { glyph: "pending", tone: "moving", word: "Ready" },
  awaiting_approval: { glyph: "in_progress", tone: "doubt", word: "Waits for approval" },
  rejected: { glyph: "FAILED_REPLAYABLE", tone: "plain", word: "Rejected" },
  running: { glyph: "in_progress", tone: "moving", word: "Running" },
  aborted: { glyph: "FAILED_REPLAYABLE", tone: "plain", word: "Aborted" },
  done: { glyph: "COMPLETED", tone: "done", word: "Done" },
};

/** An expired plan looks different from one that a person aborted. */
export function planFace({ state, expired }: Pick<PlanRow, "state" | "expired">): Face {
  return expired ? { glyph: "EXPIRED", tone: "quiet", word: "Expired" } : PLAN_FACES[state];
}

export const KIND_WORDS: Readonly<Record<PlanKindName, { readonly verb: string; readonly title: string }>> = {
  requeue_dead_letters: { verb: "requeue", title: "Requeue dead letters" },
  discard_dead_letters: { verb: "discard", title: "Discard dead letters" },
  reconcile_operations: { verb: "reconcile", title: "Reconcile operations" },
  release_operations: { verb: "release", title: "Release operations" },
  purge_bodies: { verb: "purge", title: "Purge bodies" },
  resolve_operations: { verb: "settle", title: "Settle by hand" },
  republish_messages: { verb: "publish again", title: "Publish messages again" },
  requeue_attached: { verb: "requeue", title: "Requeue in an attached database" },
  discard_attached: { verb: "discard", title: "Discard in an attached database" },
  purge_attached: { verb: "purge", title: "Purge in an attached database" },
  correct_dead_letter: { verb: "send", title: "Edit and requeue" },
};
