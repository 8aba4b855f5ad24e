import type { Queryable } from "@/db/client";
import { operationForAction, type OperationForAction } from "@/db/operations/operation-facts";
import { AppError } from "@/domain/errors";
import type { ActionOutcome, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { Conclusion } from "@/engine/execute/conclude-provider";
import type { EngineContext } from "@/engine/context";
import type { OperationRegistry } from "@/engine/execute/operation";
import { operatorTask } from "@/engine/actions/operator-action";
import { reconcileOperation, wordsOf } from "@/engine/recover/reconcile";

/** An operator asks the provider now. Audit and answer commit with what settles. @throws AppError `operation.not_open` 409 */
export async function reconcileAction(
  ctx: EngineContext,
  registry: OperationRegistry,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult> {
  return operatorTask(ctx, request, async (finish) => {
    const before = await readActionFacts(ctx, ctx.db.pool, operationId);
    const result = await reconcileOperation(ctx, registry, {
      operationId,
      onlyAsk: true,
      alongside: (tx, conclusion) => finish(tx, outcomeOf(before, conclusion)),
    });
    // Only for what recovery frees without a settling transaction of ours.
    const { changed, after: state, finding } = result;
    return { changed, affected: changed ? 1 : 0, skipped: [], before, after: { state, finding } };
  });
}

/** Facts of an operation for audit and answer. @throws AppError `operation.not_found` 404 */
export async function readActionFacts(
  ctx: EngineContext,
  db: Queryable,
  operationId: string,
): Promise<OperationActionFacts> {
  const row = await operationForAction(db, ctx.tenantId, operationId);
  if (row === undefined)
    throw new AppError("operation.not_found", 404, "There is no such operation", { detail: "Nothing was changed." });
  return actionFactsOf(row);
}

type OperationActionFacts = ReturnType<typeof actionFactsOf>;

export function outcomeOf(before: OperationActionFacts, conclusion: Conclusion, evidence?: unknown): ActionOutcome {
  const changed = conclusion.state !== before.state;
  const after = {
    state: conclusion.state,
    finding: wordsOf(conclusion),
    ...(conclusion.kind === "settled" && { resource: conclusion.settlement.resource }),
  };
  return { changed, affected: changed ? 1 : 0, skipped: [], before, after, evidence };
}

function actionFactsOf(row: OperationForAction) {
  return {
    operation: row.operation,
    state: row.state,
    stage: row.stage ?? undefined,
    fence: row.fence,
    leased: row.leased,
    responseStatus: row.response_status ?? undefined,
    errorCode: row.error_code ?? undefined,
    bodyPurgedAt: row.body_purged_at?.toISOString(),
  };
}
