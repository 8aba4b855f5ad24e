import type { ActionRequest, ActionResult } from "./action-answer";
import { actOnMessage } from "./act-on-message";
import type { EngineContext } from "./context";
import { messageNotFound } from "./message-not-found";
import { operatorAction } from "./operator-action";

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
