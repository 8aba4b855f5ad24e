import type { Queryable } from "@/db/client";
import { settleMessage } from "@/db/statements/settle-message";
import { GONE, judgeDiscard, judgeRequeue, type Judged } from "@/domain/requeue-verdict";
import type { ActionOutcome } from "./action-answer";
import { messageFacts, type MessageFacts } from "./dead-letter-facts";

export interface MessageRef {
  readonly side: "outbox" | "inbox";
  /** Of the outbox or inbox row. */
  readonly id: string;
}

/** Who lets it happen, as the dead letter and the audit name them, and why. */
export interface ActedBy {
  readonly name: string;
  readonly reason: string | undefined;
}

export type MessageAction = "requeue" | "discard";

const MOVED = "It moved meanwhile.";

/**
 * Judges one message now and does what the verdict says, inside the caller's transaction: the same for a single click and for a
 * row of a plan.
 *
 * @returns undefined when there is no such message
 */
export async function actOnMessage(
  tx: Queryable,
  tenantId: string,
  ref: MessageRef,
  action: MessageAction,
  by: ActedBy,
): Promise<{ readonly judged: Judged; readonly outcome: ActionOutcome } | undefined> {
  const found = (await messageFacts(tx, tenantId, ref.side, [ref.id])).get(ref.id);
  if (found === undefined) return undefined;
  const judged = judge(action, found);
  if (judged.act === "leave") return { judged, outcome: left(ref.id, found, judged.why) };
  if (!(await act(tx, tenantId, ref, judged, by))) {
    return { judged: { ...GONE, why: MOVED }, outcome: left(ref.id, found, MOVED) };
  }
  const { before, evidence } = found;
  return {
    judged,
    outcome: { changed: true, affected: 1, skipped: [], before, after: afterOf(ref.side, judged), evidence },
  };
}

function judge(action: MessageAction, found: MessageFacts): Judged {
  return action === "requeue" ? judgeRequeue(found.facts) : judgeDiscard(found.facts);
}

async function act(tx: Queryable, tenantId: string, ref: MessageRef, judged: Judged, by: ActedBy): Promise<boolean> {
  if (judged.act === "leave") return false;
  // Only the outbox has something to close.
  const settlement = judged.act === "close" ? "close_outbox" : (`${judged.act}_${ref.side}` as const);
  return settleMessage(tx, settlement, { tenantId, id: ref.id }, { actor: by.name, reason: by.reason });
}

function afterOf(side: MessageRef["side"], { act: done, why }: Judged): Record<string, unknown> {
  if (done === "close") return { state: "published", sent: false, why };
  if (done === "discard") return { state: "discarded", why };
  return side === "outbox" ? { state: "pending", attempts: 0, why } : { state: "recorded", attemptsStarted: 0, why };
}

function left(id: string, { before }: MessageFacts, why: string): ActionOutcome {
  return { changed: false, affected: 0, skipped: [{ id, why }], before, after: before };
}
