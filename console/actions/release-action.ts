import { AppError } from "@/domain/errors";
import type { ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import type { OperationRegistry } from "@/engine/execute/operation";
import { operatorTask } from "@/engine/actions/operator-action";
import { judgeOperation, JUDGES } from "../plans/operation-plans";
import { readActionFacts, outcomeOf } from "./reconcile-action";
import { reconcileOperation } from "@/engine/recover/reconcile";

/**
 * Gives the key of an owner that is gone free, where nothing was sent: the same key may run again. Through recovery's own
 * transition; audit and answer commit with it.
 * @throws AppError `operation.not_open` 409 when it was sent, is settled, or somebody is at work: nothing was changed
 */
export async function releaseAction(
  ctx: EngineContext,
  registry: OperationRegistry,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult> {
  return operatorTask(ctx, request, async (finish) => {
    const before = await readActionFacts(ctx, ctx.db.pool, operationId);
    const judged = await judgeOperation(ctx.db.pool, ctx, JUDGES.release, operationId);
    if (!judged.acts)
      throw new AppError("operation.not_open", 409, "This operation cannot be released", {
        detail: `${judged.why} Nothing was changed.`,
      });
    const result = await reconcileOperation(ctx, registry, {
      operationId,
      onlyAsk: true,
      onlyRelease: true,
      alongside: (tx, conclusion) => finish(tx, outcomeOf(before, conclusion)),
    });
    return { changed: result.changed, affected: 1, skipped: [], before, after: { state: result.after } };
  });
}
