import { beforeDeadline, withoutDeadline } from "@/db/deadline";
import type { ClaimRow } from "@/db/operations/claim";
import { failRetryable } from "@/db/operations/transitions";
import { toAppError } from "@/domain/errors";
import type { EngineContext } from "../context";
import { executedAnswer, type ExecuteAnswer } from "./answer";
import { eventOfAnswer } from "./answer-event";
import type { ExecuteRequest } from "./execute-request";
import { keepSettlement } from "./keep-settlement";
import { claimFrom, type BoundTask } from "./operation";

/**
 * Runs a task whose claim is committed. Its effect and its answer commit together, so without the answer nothing was done: what
 * the task throws frees the key for another try.
 * @param row the claim
 */
export async function executeTask<C>(
  ctx: EngineContext,
  definition: BoundTask<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
): Promise<ExecuteAnswer> {
  const claim = claimFrom(definition, request.key, row);
  let kept: ExecuteAnswer | undefined;
  try {
    await definition.run(ctx, async (tx, settlement) => {
      const answer = executedAnswer(definition, row, settlement);
      const event = eventOfAnswer(ctx, definition, request, row, answer);
      await keepSettlement(ctx, tx, definition, claim, settlement, event);
      kept = answer;
    });
    if (kept === undefined) throw new Error(`${definition.name} ended without its answer`);
    return kept;
  } catch (error) {
    await releaseClaim(ctx, row, error);
    throw error;
  }
}

async function releaseClaim(ctx: EngineContext, row: ClaimRow, error: unknown): Promise<void> {
  const { operation_id: operationId, fence } = row;
  try {
    const { code } = toAppError(error);
    await beforeDeadline(withoutDeadline(() => failRetryable(ctx.db.pool, ctx.tenantId, operationId, fence, code)));
  } catch (failure) {
    ctx.log.warn({ err: failure, operationId }, "a task was left to recovery");
  }
}
