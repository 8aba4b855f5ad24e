import type { GlyphName, Tone } from "../format/glyph";
import type { PlanKindName } from "@/domain/plans/plan";
import { PLAN_RESULTS, type PlanResult } from "@/domain/plans/plan-results";
export type ResultCounts = Readonly<Record<PlanResult, number>>;

export const NO_RESULTS: ResultCounts = {
  succeeded: 0,
  declined: 0,
  done: 0,
  unknown: 0,
  moved: 0,
  failed: 0,
  waiting: 0,
  left: 0,
};

interface ResultFace {
  readonly glyph: GlyphName;
  readonly tone: Tone;
  /** In a table cell. */
  readonly word: string;
  /** Behind a count, beside its glyph or in a sum. */
  readonly counted: string;
  /** Behind a count where there is little room. */
  readonly short: string;
}

/** How a result is drawn and called; glyph, word and colour differ each. */
const RESULT_FACES: Readonly<Record<PlanResult, ResultFace>> = {
  succeeded: {
    glyph: "proven",
    tone: "proven",
    word: "Succeeded",
    counted: "settled as succeeded",
    short: "succeeded",
  },
  declined: {
    glyph: "FAILED_REPLAYABLE",
    tone: "plain",
    word: "Declined",
    counted: "settled as declined",
    short: "declined",
  },
  done: { glyph: "COMPLETED", tone: "done", word: "Done", counted: "done", short: "done" },
  unknown: {
    glyph: "UNKNOWN_REQUIRES_RECOVERY",
    tone: "doubt",
    word: "Still unknown",
    counted: "asked and still unknown",
    short: "still unknown",
  },
  moved: { glyph: "skipped", tone: "doubt", word: "Skipped", counted: "moved meanwhile and skipped", short: "skipped" },
  failed: { glyph: "dead", tone: "broken", word: "Failed", counted: "failed", short: "failed" },
  waiting: { glyph: "pending", tone: "quiet", word: "Waiting", counted: "to go", short: "to go" },
  left: {
    glyph: "skipped",
    tone: "quiet",
    word: "Left alone",
    counted: "left alone as the dry run said",
    short: "left alone",
  },
};

const DONE_WORDS: Readonly<Record<PlanKindName, string>> = {
  requeue_dead_letters: "Requeued",
  discard_dead_letters: "Discarded",
  reconcile_operations: "Key free again",
  release_operations: "Released",
  purge_bodies: "Purged",
};

/** @param ended the plan has: what waits is never reached */
export function resultFace(result: PlanResult, kind: PlanKindName, ended: boolean): ResultFace {
  const face = RESULT_FACES[result];
  const named = (word: string): ResultFace => ({
    ...face,
    word,
    counted: word.toLowerCase(),
    short: word.toLowerCase(),
  });
  if (result === "done") return named(DONE_WORDS[kind]);
  if (result === "waiting" && ended) return named("Untouched");
  return face;
}

interface ResultPart {
  readonly result: PlanResult;
  readonly count: number;
  readonly word: string;
  readonly short: string;
}

/** "3 settled as succeeded, 7 still unknown": every result that there is, in order. */
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
