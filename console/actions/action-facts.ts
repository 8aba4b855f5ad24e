import type { Queryable } from "@/db/client";
import { operationForAction, type OperationForAction } from "@/db/operations/operation-facts";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";

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

export type OperationActionFacts = ReturnType<typeof actionFactsOf>;

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
