import { actorNames } from "@/db/access/actor-names";
import { assignOperationRow } from "@/db/operations/transitions";
import { AppError } from "@/domain/errors";
import type { ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import { actorRef, operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { planName } from "../plans/plan-rows";

/**
 * Whoever asks looks after an open operation from now on, or nobody does. It holds nobody else off: recovery goes on.
 * @throws AppError `operation.not_open` 409
 */
export async function assignOperation(
  ctx: EngineContext,
  request: ActionRequest,
  operationId: string,
  to: "me" | "nobody",
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const who = to === "me" ? actorRef(ctx.actor) : undefined;
    const done = await assignOperationRow(tx, ctx.tenantId, operationId, who);
    if (done === undefined) {
      throw new AppError("operation.not_open", 409, "This operation is settled", {
        detail: "There is nothing left to look after. Nothing was changed.",
      });
    }
    // The audit keeps both: who it was, and what they were called then.
    const names = await actorNames(tx, ctx.tenantId, done.was === null ? [] : [done.was]);
    const before = { assignedTo: planName(names, done.was) ?? null, assignedToId: done.was };
    const after = { assignedTo: to === "me" ? ctx.actor.name : null, assignedToId: who ?? null };
    const changed = before.assignedToId !== after.assignedToId;
    return { changed, affected: changed ? 1 : 0, skipped: [], before, after };
  });
}
