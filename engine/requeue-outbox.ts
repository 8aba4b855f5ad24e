import type { ActionRequest, ActionResult } from "./action-answer";
import { actOnMessage } from "./act-on-message";
import type { EngineContext } from "./context";
import { messageNotFound } from "./message-not-found";
import { operatorAction } from "./operator-action";

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
