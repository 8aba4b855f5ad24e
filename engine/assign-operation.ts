import { assignOperationRow } from "@/db/statements/assign-operation";
import { AppError } from "@/domain/errors";
import type { ActionRequest, ActionResult } from "./action-answer";
import type { EngineContext } from "./context";
import { operatorAction } from "./operator-action";

/**
 * Whoever asks looks after an open operation from now on, or nobody does (C.4). It holds nobody else off: recovery goes on.
 * @throws AppError `operation.not_open` 409
 */
export async function assignOperation(
  ctx: EngineContext,
  request: ActionRequest,
  operationId: string,
  to: "me" | "nobody",
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const name = to === "me" ? ctx.actor.name : undefined;
    const done = await assignOperationRow(tx, ctx.tenantId, operationId, name);
    if (done === undefined) {
      throw new AppError("operation.not_open", 409, "This operation is settled", {
        detail: "There is nothing left to look after. Nothing was changed.",
      });
    }
    const before = { assignedTo: done.was };
    const after = { assignedTo: name ?? null };
    const changed = before.assignedTo !== after.assignedTo;
    return { changed, affected: changed ? 1 : 0, skipped: [], before, after };
  });
}
