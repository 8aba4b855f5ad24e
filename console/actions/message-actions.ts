import type { Queryable } from "@/db/client";
import { settleMessage } from "@/db/messages/settle-message";
import { AppError } from "@/domain/errors";
import { GONE, type Judged, judgeDiscard, judgeRequeue } from "@/domain/messages/requeue-verdict";
import type { ActionOutcome, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { messageFacts, type DeadLetterFactsRow } from "./dead-letter-facts";

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

function judge(action: MessageAction, found: DeadLetterFactsRow): Judged {
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

function left(id: string, { before }: DeadLetterFactsRow, why: string): ActionOutcome {
  return { changed: false, affected: 0, skipped: [{ id, why }], before, after: before };
}

/**
 * Sends a dead message once more under its old id, or closes it as delivered when the consumer's inbox holds it already.
 * Whatever else it is, it is left alone and told why.
 *
 * @throws AppError `outbox.not_found` 404
 */
export async function requeueOutbox(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const by = { name: ctx.actor.name, reason: request.reason };
    const done = await actOnMessage(tx, ctx.tenantId, { side: "outbox", id }, "requeue", by);
    if (done === undefined) throw messageNotFound("outbox");
    return done.outcome;
  });
}

/**
 * Hands a dead message to its consumer once more; unique constraints keep a half-done effect from happening twice.
 *
 * @throws AppError `inbox.not_found` 404
 */
export async function requeueInbox(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const by = { name: ctx.actor.name, reason: request.reason };
    const done = await actOnMessage(tx, ctx.tenantId, { side: "inbox", id }, "requeue", by);
    if (done === undefined) throw messageNotFound("inbox");
    return done.outcome;
  });
}

/**
 * Drops a dead message for good: it is never sent, its row stays and its aggregate goes on without it. There is no way back.
 *
 * @throws AppError `outbox.not_found` 404
 */
export async function discardOutbox(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const by = { name: ctx.actor.name, reason: request.reason };
    const done = await actOnMessage(tx, ctx.tenantId, { side: "outbox", id }, "discard", by);
    if (done === undefined) throw messageNotFound("outbox");
    return done.outcome;
  });
}

/**
 * Drops a dead message for good: it is never handled, and because its row stays, a later arrival of its id is a duplicate.
 * There is no way back.
 *
 * @throws AppError `inbox.not_found` 404
 */
export async function discardInbox(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const by = { name: ctx.actor.name, reason: request.reason };
    const done = await actOnMessage(tx, ctx.tenantId, { side: "inbox", id }, "discard", by);
    if (done === undefined) throw messageNotFound("inbox");
    return done.outcome;
  });
}

export function messageNotFound(side: "outbox" | "inbox"): AppError {
  return new AppError(`${side}.not_found`, 404, "There is no such message", { detail: "Nothing was changed." });
}
