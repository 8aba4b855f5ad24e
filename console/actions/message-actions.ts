import type { Queryable } from "@/db/client";
import { settleMessage } from "@/db/messages/settle-message";
import { AppError } from "@/domain/errors";
import { GONE, type Judged, judgeDiscard, judgeRequeue } from "@/domain/messages/requeue-verdict";
import {
  changedOutcome,
  unchangedOutcome,
  type ActionOutcome,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { messageFacts } from "./dead-letter-facts";

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
 * Judges one message now and does what the verdict says, inside the caller's transaction: the same for a single request and for a
 * row of a plan.
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
  const judged = action === "requeue" ? judgeRequeue(found.facts) : judgeDiscard(found.facts);
  const { before, evidence } = found;
  if (judged.act === "leave") return { judged, outcome: unchangedOutcome(ref.id, judged.why, before) };
  if (!(await act(tx, tenantId, ref, judged.act, by)))
    return { judged: { ...GONE, why: MOVED }, outcome: unchangedOutcome(ref.id, MOVED, before) };
  return { judged, outcome: { ...changedOutcome(before, afterOf(ref.side, judged)), evidence } };
}

function act(
  tx: Queryable,
  tenantId: string,
  { side, id }: MessageRef,
  verdict: Exclude<Judged["act"], "leave">,
  by: ActedBy,
): Promise<boolean> {
  // Only the outbox has something to close.
  const settlement = verdict === "close" ? "close_outbox" : (`${verdict}_${side}` as const);
  return settleMessage(tx, settlement, { tenantId, id }, { actor: by.name, reason: by.reason });
}

function afterOf(side: MessageRef["side"], { act: done, why }: Judged): Record<string, unknown> {
  if (done === "close") return { state: "published", sent: false, why };
  if (done === "discard") return { state: "discarded", why };
  return side === "outbox" ? { state: "pending", attempts: 0, why } : { state: "recorded", attemptsStarted: 0, why };
}

/** Sends a dead message once more under its old id, or closes it as delivered when the consumer's inbox holds it already. */
export const requeueOutbox = onOneMessage("outbox", "requeue");
/** Hands a dead message to its consumer once more; unique constraints keep a half-done effect from happening twice. */
export const requeueInbox = onOneMessage("inbox", "requeue");
/** Drops a dead message for good: it is never sent, its row stays and its aggregate goes on without it. */
export const discardOutbox = onOneMessage("outbox", "discard");
/** Drops a dead message for good: it is never handled, and because its row stays, a later arrival of its id is a duplicate. */
export const discardInbox = onOneMessage("inbox", "discard");

/** What may not be done is left alone, and the answer says why. @throws AppError `outbox.not_found` or `inbox.not_found` 404 */
function onOneMessage(side: MessageRef["side"], action: MessageAction) {
  return (ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> =>
    operatorAction(ctx, request, async (tx) => {
      const by = { name: ctx.actor.name, reason: request.reason };
      const done = await actOnMessage(tx, ctx.tenantId, { side, id }, action, by);
      if (done === undefined) throw messageNotFound(side);
      return done.outcome;
    });
}

function messageNotFound(side: "outbox" | "inbox"): AppError {
  return new AppError(`${side}.not_found`, 404, "There is no such message", { detail: "Nothing was changed." });
}
