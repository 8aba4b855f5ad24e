import type { GlyphName, Tone } from "@/domain/glyph";
import type { PlanItemState, PlanKindName, PlanState } from "@/domain/plan";
import type { RequeueVerdict } from "@/domain/requeue-verdict";
import type { ActionView, Listed, Page } from "./common";

export interface PlansView {
  readonly list: Listed<PlanRow>;
  /** Plans that have not ended, among the newest. */
  readonly open: number;
}

export interface PlanRow {
  readonly id: string;
  readonly kind: PlanKindName;
  readonly state: PlanState;
  /** What was frozen, in words. */
  readonly scope: string;
  readonly reason: string;
  readonly total: number;
  readonly counts: Readonly<Record<PlanItemState, number>>;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly startedAt?: string | undefined;
  readonly startedBy?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly endedBy?: string | undefined;
}

export interface PlanView extends PlanRow {
  readonly at: string;
  /** The plan whose rest this is. */
  readonly rerunOf?: string | undefined;
  readonly approvalNeeded?: string | undefined;
  readonly decidedAt?: string | undefined;
  readonly decidedBy?: string | undefined;
  readonly decisionReason?: string | undefined;
  /** Process that runs it now. */
  readonly owner?: string | undefined;
  /** Rows that the dry run let act. */
  readonly acting: number;
  readonly verdicts: readonly PlanVerdictRow[];
  /** Rows that ended otherwise than the dry run said. */
  readonly changed: number;
  readonly items: Page<PlanItemRow>;
  readonly actions: Readonly<Record<"start" | "decide" | "abort" | "rerun", ActionView>>;
}

export interface PlanVerdictRow {
  readonly verdict: RequeueVerdict;
  readonly acts: boolean;
  readonly count: number;
  readonly counts: Readonly<Record<PlanItemState, number>>;
}

export interface PlanItemRow {
  readonly position: number;
  readonly targetId: string;
  readonly label: Readonly<Record<string, string>>;
  readonly verdict: RequeueVerdict;
  readonly verdictReason: string;
  readonly state: PlanItemState;
  readonly outcome?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly changed: boolean;
}

/** How a state of a plan or of its row is drawn. */
export interface Face {
  readonly glyph: GlyphName;
  readonly tone: Tone;
  readonly word: string;
}

export const PLAN_FACES: Readonly<Record<PlanState, Face>> = {
  ready: { glyph: "pending", tone: "moving", word: "Ready" },
  awaiting_approval: { glyph: "in_progress", tone: "doubt", word: "Waits for approval" },
  rejected: { glyph: "FAILED_REPLAYABLE", tone: "plain", word: "Rejected" },
  running: { glyph: "in_progress", tone: "moving", word: "Running" },
  aborted: { glyph: "FAILED_REPLAYABLE", tone: "plain", word: "Aborted" },
  done: { glyph: "COMPLETED", tone: "done", word: "Done" },
};

export const ITEM_FACES: Readonly<Record<PlanItemState, Face>> = {
  waiting: { glyph: "pending", tone: "quiet", word: "Waiting" },
  done: { glyph: "COMPLETED", tone: "done", word: "Done" },
  skipped: { glyph: "skipped", tone: "doubt", word: "Skipped" },
  failed: { glyph: "dead", tone: "broken", word: "Failed" },
};

export const KIND_WORDS: Readonly<Record<PlanKindName, { readonly verb: string; readonly title: string }>> = {
  requeue_dead_letters: { verb: "requeue", title: "Requeue dead letters" },
  discard_dead_letters: { verb: "discard", title: "Discard dead letters" },
};
