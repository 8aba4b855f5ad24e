import type { Queryable } from "@/db/client";
import { messageAmount } from "@/db/plans/operation-plan-facts";
import { settleMessage } from "@/db/messages/settle-message";
import { AppError } from "@/domain/errors";
import type { MessageSide } from "@/domain/messages/side";
import { GONE, judgeDiscard, judgeRequeue } from "@/domain/messages/judge-message";
import type { Judged } from "@/domain/messages/requeue-verdict";
import {
  changedOutcome,
  unchangedOutcome,
  type ActionOutcome,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { countSingleAct } from "../second-person/single-acts";
import { messageFacts } from "./dead-letter-facts";
import type { Opening } from "@/engine/messages/sealed-message";

export interface MessageRef {
  readonly side: MessageSide;
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
  ctx: Opening,
  ref: MessageRef,
  action: MessageAction,
  by: ActedBy,
): Promise<{ readonly judged: Judged; readonly outcome: ActionOutcome } | undefined> {
  const found = (await messageFacts(tx, ctx, ref.side, [ref.id])).get(ref.id);
  if (found === undefined) return undefined;
  const judged = action === "requeue" ? judgeRequeue(found.facts) : judgeDiscard(found.facts);
  const { before, evidence } = found;
  if (judged.act === "leave") return { judged, outcome: unchangedOutcome(ref.id, judged.why, before) };
  if (!(await act(tx, ctx.tenantId, ref, judged.act, by)))
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

/**
 * Lets a dead message try again under its old id, or drops it for good; its row and its dead letter stay. What a consumer holds already
 * is closed as delivered instead of being sent again. Whatever else it is, it is left alone with the reason.
 *
 * @throws AppError `outbox.not_found`, `inbox.not_found` 404, `plan.needed` 409
 */
export async function messageAction(
  ctx: EngineContext,
  request: ActionRequest,
  ref: MessageRef,
  action: MessageAction,
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const by = { name: ctx.actor.name, reason: request.reason };
    const done = await actOnMessage(tx, ctx, ref, action, by);
    if (done === undefined) throw messageNotFound(ref.side);
    if (action === "discard" && done.outcome.changed) {
      const amount = await messageAmount(tx, ctx.tenantId, ref);
      await countSingleAct(tx, ctx, { kind: "discard", amount });
    }
    return done.outcome;
  });
}

function messageNotFound(side: MessageSide): AppError {
  return new AppError(`${side}.not_found`, 404, "There is no such message", { detail: "Nothing was changed." });
}
