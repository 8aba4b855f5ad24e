import { beforeDeadline, withoutDeadline } from "@/db/deadline";
import { claim as claimKey, type ClaimRow } from "@/db/statements/claim";
import { failRetryable } from "@/db/statements/fail-retryable";
import { recordEvents } from "@/db/statements/record-events";
import { inTransaction } from "@/db/transaction";
import { AppError, toAppError } from "@/domain/errors";
import { v7 as uuidv7 } from "uuid";
import type { ActionAnswer, ActionOutcome, ActionRequest, ActionResult, Finish } from "./action-answer";
import { actionDefinition, actionKey, resultOf, settlementOf, writeDown } from "./action-definition";
import { answerEvent } from "./answer-event";
import type { EngineContext } from "./context";
import { bind } from "./bind";
import { claimInput } from "./claim-input";
import { execute } from "./execute";
import { keepSettlement } from "./keep-settlement";
import { endedBy, tellAnswered, type Told } from "./observe-answer";
import { requireConfirmation, requirePermission } from "./read/require";

/**
 * Like {@link import("./operator-action").operatorAction}, for work that no single transaction can hold: it asks a provider,
 * or runs in many small steps. The claim commits first; `finish` writes audit entry and answer in the transaction that settles.
 *
 * @param run calls `finish` in its settling transaction, or leaves that to us by returning the outcome
 * @throws AppError as of operatorAction; what `run` throws frees the key for another try
 */
export async function operatorTask(
  ctx: EngineContext,
  request: ActionRequest,
  run: (finish: Finish) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  requirePermission(ctx, request.action);
  requireConfirmation(ctx, request.action);
  const unbound = actionDefinition(request, () => {
    throw new AppError("idempotency.in_progress", 409, "The same click is still at work", {
      retryable: true,
      retryAfter: 1,
    });
  });
  const definition = await bind(ctx, unbound);
  const told: Told = {};
  const asked = { key: actionKey(ctx, request), command: request, receivedAt: request.receivedAt, told };
  const form = { version: ctx.fingerprints.current, apiVersion: definition.apiVersion };
  const input = await claimInput(ctx, definition, asked, form);
  const row = await claimKey(ctx.db.pool, { ...input, eventId: uuidv7() });
  if (row.outcome !== "claimed") return resultOf(await execute(ctx, unbound, asked));
  let answer: ActionAnswer | undefined;
  const finish: Finish = async (tx, outcome) => {
    const told = await writeDown(ctx, tx, request, outcome);
    const settlement = settlementOf(told, request);
    await keepSettlement(
      ctx,
      tx,
      definition,
      {
        operationId: row.operation_id,
        operation: definition.name,
        key: asked.key,
        fence: row.fence,
        attempt: row.attempts,
      },
      settlement,
    );
    const { status, body } = settlement.response;
    await recordEvents(tx, [
      answerEvent(ctx, row, asked, { operation: definition.name, outcome: "executed", status, body }),
    ]);
    answer = told;
  };
  try {
    const outcome = await run(finish);
    if (answer === undefined) await inTransaction(ctx.db, (tx) => finish(tx, outcome));
  } catch (error) {
    await giveBack(ctx, row, error);
    tellAnswered(ctx, definition.name, asked, { ...told, row }, endedBy(error));
    throw error;
  }
  if (answer === undefined) throw new Error("an action ended without its answer");
  tellAnswered(ctx, definition.name, asked, told, { outcome: "created", state: "COMPLETED" });
  return { replayed: false, operationId: row.operation_id, answer };
}

/** Effect, audit and answer are one transaction, so without the answer nothing was done: the key may be used again. */
async function giveBack(ctx: EngineContext, row: ClaimRow, error: unknown): Promise<void> {
  try {
    const { tenantId } = ctx;
    const { code } = toAppError(error);
    await beforeDeadline(
      withoutDeadline(() => failRetryable(ctx.db.pool, tenantId, row.operation_id, row.fence, code)),
    );
  } catch (failure) {
    ctx.log.warn({ err: failure, operationId: row.operation_id }, "an action was left to recovery");
  }
}
