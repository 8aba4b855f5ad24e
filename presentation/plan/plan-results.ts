import type { GlyphName, Tone } from "../format/glyph";
import type { PlanKindName } from "@/domain/plans/plan";
import { PLAN_RESULTS, type PlanResult } from "@/domain/plans/plan-results";
export type ResultCounts = Readonly<Record<PlanResult, number>>;

export const NO_RESULTS: ResultCounts = {
  succeeded: 0,
  declined: 0,
  done: 0,
  closed: 0,
  asked: 0,
  unknown: 0,
  settled: 0,
  moved: 0,
  failed: 0,
  waiting: 0,
  left: 0,
};

interface ResultFace {
  readonly glyph: GlyphName;
  readonly tone: Tone;
  readonly word: string;
  /** Behind a count, beside its glyph or in a sum. */
  readonly counted: string;
  /** Behind a count where there is little room. */
  readonly short: string;
}

function face(glyph: GlyphName, tone: Tone, word: string, counted = word.toLowerCase(), short = counted): ResultFace {
  return { glyph, tone, word, counted, short };
}

/** How a result is drawn and called; glyph, word and colour differ each. */
const RESULT_FACES: Readonly<Record<PlanResult, ResultFace>> = {
  succeeded: face("proven", "proven", "Succeeded", "settled as succeeded", "succeeded"),
  declined: face("FAILED_REPLAYABLE", "plain", "Declined", "settled as declined", "declined"),
  done: face("COMPLETED", "done", "Done"),
  closed: face("published", "done", "Closed as delivered", "closed as delivered, not sent", "closed as delivered"),
  asked: face("pending", "moving", "Asked of its service", "asked of the service"),
  unknown: face("UNKNOWN_REQUIRES_RECOVERY", "doubt", "Stayed unknown", "asked and stayed unknown", "stayed unknown"),
  settled: face("executed", "quiet", "Settled meanwhile", "settled by others before their turn", "settled by others"),
  moved: face("skipped", "doubt", "Skipped", "changed meanwhile and skipped", "skipped"),
  failed: face("dead", "broken", "Failed"),
  waiting: face("pending", "quiet", "Waiting", "to go"),
  left: face("skipped", "quiet", "Left alone", "left alone as the dry run said", "left alone"),
};

const DONE_WORDS: Readonly<Record<PlanKindName, string>> = {
  requeue_dead_letters: "Requeued",
  discard_dead_letters: "Discarded",
  reconcile_operations: "Without effect",
  release_operations: "Released",
  purge_bodies: "Purged",
  republish_messages: "Queued again",
  resolve_operations: "Settled by hand",
  requeue_attached: "Requeued",
  discard_attached: "Discarded",
  purge_attached: "Purged",
  correct_dead_letter: "Replaced by a new message",
};

/** @param ended the plan has: what waits is never reached */
export function resultFace(result: PlanResult, kind: PlanKindName, ended: boolean): ResultFace {
  const { glyph, tone } = RESULT_FACES[result];
  if (result === "done") return face(glyph, tone, DONE_WORDS[kind]);
  if (result === "waiting" && ended) return face(glyph, tone, "Untouched");
  return RESULT_FACES[result];
}

interface ResultPart {
  readonly result: PlanResult;
  readonly count: number;
  readonly word: string;
  readonly short: string;
}

/** "3 settled as succeeded, 7 stayed unknown": every result that there is, in order. */
export function resultParts(
  counts: ResultCounts,
  kind: PlanKindName,
  ended: boolean,
  shown: readonly PlanResult[] = PLAN_RESULTS,
): readonly ResultPart[] {
  return shown.flatMap((result) => {
    const count = counts[result];
    const { counted: word, short } = resultFace(result, kind, ended);
    return count === 0 ? [] : [{ result, count, word, short }];
  });
}
