import type { JudgedOutlook } from "@/domain/messages/requeue-outlook";
import { VERDICT_WORDS, type Judged, type RequeueVerdict } from "@/domain/messages/requeue-verdict";
import type { InboxState, OutboxState } from "@/domain/idempotency/states";
import type { GlyphText } from "../views/common";
import { outlookText } from "./outlook";

type Face = Pick<GlyphText, "glyph" | "tone">;

export const VERDICT_FACES: Readonly<Record<RequeueVerdict, Face>> = {
  safe: { glyph: "proven", tone: "proven" },
  processed: { glyph: "processed", tone: "done" },
  operation_unknown: { glyph: "unknown", tone: "doubt" },
  mismatch: { glyph: "conflict", tone: "conflict" },
  leased: { glyph: "in_progress", tone: "moving" },
  moved: { glyph: "skipped", tone: "quiet" },
};
/** Of a message that is not dead: it waits, or has come to its end. Nobody has to look at it. */
const ALIVE_FACES: Readonly<Partial<Record<OutboxState | InboxState, Face>>> = {
  pending: { glyph: "EXPIRED", tone: "quiet" },
  recorded: { glyph: "EXPIRED", tone: "quiet" },
  published: { glyph: "published", tone: "done" },
  processed: { glyph: "processed", tone: "done" },
  discarded: { glyph: "discarded", tone: "quiet" },
};

const ALIVE_WORDS: Readonly<Partial<Record<OutboxState | InboxState, string>>> = {
  pending: "Waits",
  recorded: "Waits",
  published: "Published",
  processed: "Handled",
  discarded: "Discarded",
};

/** What stands beside a message, and whether asking for a requeue of it is offered. */
export interface Hint {
  readonly safe: GlyphText;
  /** Why a requeue would leave it alone now; undefined: it would do something. */
  readonly requeueNot?: string | undefined;
  /** A requeue would close it as delivered: nothing is sent. */
  readonly closes?: true | undefined;
  /** Whether it would get through: of a dead message that a requeue would send or handle again. */
  readonly outlook?: GlyphText | undefined;
}

/**
 * The hint beside a message is the answer that a requeue of it would get, in the same words.
 *
 * @param judged by `judgeRequeue`, or by `judgeAlive` where the row itself decides
 * @param outlook of a dead message
 */
export function hintOf(judged: Judged, state: OutboxState | InboxState, outlook?: JudgedOutlook): Hint {
  return {
    safe: {
      ...(ALIVE_FACES[state] ?? VERDICT_FACES[judged.verdict]),
      text: judged.brief ?? judged.why,
      brief: ALIVE_WORDS[state] ?? VERDICT_WORDS[judged.verdict],
    },
    requeueNot: leftBecause(judged),
    ...(judged.act === "close" && { closes: true }),
    ...(outlook !== undefined && judged.act === "requeue" && { outlook: outlookText(outlook) }),
  };
}

/** @returns why an action would leave a message alone; undefined: it would do something */
export function leftBecause(judged: Judged): string | undefined {
  return judged.act === "leave" ? judged.why : undefined;
}
