import type { ClaimRow } from "@/db/statements/claim";
import { failRetryable } from "@/db/statements/fail-retryable";
import { toAppError } from "@/domain/errors";
import type { Answer } from "./answer";
import { answerEvent } from "./answer-event";
import type { EngineContext } from "./context";
import type { ExecuteRequest } from "./execute";
import { factsOf } from "./facts";
import { keepSettlement } from "./keep-settlement";
import type { BoundTask, Settlement } from "./operation";

/**
 * Runs a task whose claim is committed. Its effect and its answer settle in a transaction of the task's own, so without the
 * answer nothing was done: a task that throws gives its key free for another try.
 *
 * @param row the claim
 * @throws whatever the task throws
 */
export async function executeTask<C>(
  ctx: EngineContext,
  definition: BoundTask<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
): Promise<Answer> {
  const { operation_id: operationId, fence, attempts: attempt } = row;
  const { name: operation, schemaVersion } = definition;
  const claim = { operationId, operation, key: request.key, fence, attempt };
  let kept: Settlement | undefined;
  try {
    await definition.run(ctx, async (tx, settlement) => {
      const { status, body } = settlement.response;
      const event = answerEvent(ctx, row, request, { operation, outcome: "executed", status, body });
      await keepSettlement(ctx, tx, definition, claim, settlement, event);
      kept = settlement;
    });
    if (kept === undefined) throw new Error(`${operation} ended without its answer`);
  } catch (error) {
    await giveBack(ctx, row, error);
    throw error;
  }
  const { response, state } = kept;
  return { outcome: "executed", operation: factsOf(row, state), response, schemaVersion, by: "stored" };
}

async function giveBack(ctx: EngineContext, row: ClaimRow, error: unknown): Promise<void> {
  try {
    await failRetryable(ctx.db.pool, ctx.tenantId, row.operation_id, row.fence, toAppError(error).code);
  } catch (failure) {
    ctx.log.warn({ err: failure, operationId: row.operation_id }, "a task was left to recovery");
  }
}
