import type { ActionRequest, ActionResult } from "./action-answer";
import { actOnMessage } from "./act-on-message";
import type { EngineContext } from "./context";
import { messageNotFound } from "./message-not-found";
import { operatorAction } from "./operator-action";

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
