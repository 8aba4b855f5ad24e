import type { AnswerOutcome, InboxState, OperationState, OutboxState } from "@/domain/idempotency/states";

/**
 * Names of the drawn states. Answers are lower case (`in_progress`: what one caller was told), operation
 * states upper case (`IN_PROGRESS`: what the key stands for); `STALE` is IN_PROGRESS whose lease ran out.
 */
export type GlyphName =
  | AnswerOutcome
  | OperationState
  | OutboxState
  | InboxState
  | "STALE"
  | "duplicate"
  | "proven"
  | "gap"
  | "skipped"
  | "empty"
  | "same"
  | "form";

/** Only what needs attention has a colour. */
export type Tone = "ink" | "done" | "quiet" | "moving" | "doubt" | "broken" | "conflict" | "proven" | "plain";

interface Face {
  readonly word: string;
  readonly tone: Tone;
}

const FACES: Readonly<Record<GlyphName, Face>> = {
  executed: { word: "Executed", tone: "ink" },
  replayed: { word: "Replayed", tone: "plain" },
  conflict: { word: "Conflict", tone: "conflict" },
  in_progress: { word: "In progress", tone: "moving" },
  expired_retry: { word: "Expired retry", tone: "quiet" },
  unknown: { word: "Unknown", tone: "doubt" },
  failed: { word: "Failed", tone: "plain" },
  IN_PROGRESS: { word: "In progress", tone: "moving" },
  STALE: { word: "Stale lease", tone: "doubt" },
  COMPLETED: { word: "Completed", tone: "done" },
  FAILED_REPLAYABLE: { word: "Failed, final", tone: "plain" },
  FAILED_RETRYABLE: { word: "Failed, may retry", tone: "plain" },
  UNKNOWN_REQUIRES_RECOVERY: { word: "Unknown", tone: "doubt" },
  EXPIRED: { word: "Expired", tone: "quiet" },
  pending: { word: "Pending", tone: "moving" },
  published: { word: "Published", tone: "done" },
  recorded: { word: "Recorded", tone: "moving" },
  processed: { word: "Processed", tone: "done" },
  duplicate: { word: "Duplicate", tone: "quiet" },
  dead: { word: "Dead", tone: "broken" },
  discarded: { word: "Discarded", tone: "quiet" },
  proven: { word: "Proven", tone: "proven" },
  gap: { word: "Gap", tone: "doubt" },
  skipped: { word: "Skipped", tone: "doubt" },
  empty: { word: "Nothing", tone: "quiet" },
  same: { word: "Same", tone: "quiet" },
  form: { word: "Differs in form only", tone: "quiet" },
};

/** Whether a state is drawn, and so has a word. */
export function isGlyphName(name: string): name is GlyphName {
  return Object.hasOwn(FACES, name);
}

export function glyphWord(name: GlyphName): string {
  return FACES[name].word;
}

export function glyphTone(name: GlyphName): Tone {
  return FACES[name].tone;
}
