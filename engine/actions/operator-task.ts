import { beforeDeadline, withoutDeadline } from "@/db/deadline";
import { claim as claimKey, type ClaimRow } from "@/db/operations/claim";
import { failRetryable } from "@/db/operations/transitions";
import { recordEvents } from "@/db/operations/record-events";
import { inTransaction } from "@/db/transaction";
import { AppError, toAppError } from "@/domain/errors";
import { v7 as uuidv7 } from "uuid";
import type { ActionAnswer, ActionOutcome, ActionRequest, ActionResult, Finish } from "./action-answer";
import { actionDefinition, actionKey, resultOf, settlementOf, writeDown } from "./action-definition";
import { answerEvent } from "../execute/answer-event";
import type { EngineContext } from "../context";
import { bind } from "../execute/bind";
import { claimInput } from "../execute/claim-input";
import { executeBound } from "../execute/execute";
import { keepSettlement } from "../execute/keep-settlement";
import { endedBy, recordAnswered } from "../telemetry/observe-answer";
import { requireConfirmation, requirePermission } from "./require";

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
    throw new AppError("idempotency.in_progress", 409, "The same action is still running", {
      retryable: true,
      retryAfter: 1,
    });
  });
  const definition = await bind(ctx, unbound);
  const asked = { key: actionKey(ctx, request), command: request, receivedAt: request.receivedAt };
  const form = { version: ctx.fingerprints.current, apiVersion: definition.apiVersion };
  const input = await claimInput(ctx, definition, asked, form);
  const row = await claimKey(ctx.db.pool, { ...input, eventId: uuidv7() });
  if (row.outcome !== "claimed") return resultOf(await executeBound(ctx, definition, asked));
  const trace = { fingerprint: input.fingerprint, row };
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
    await releaseClaim(ctx, row, error);
    recordAnswered(ctx, definition.name, asked, trace, endedBy(error));
    throw error;
  }
  if (answer === undefined) throw new Error("an action ended without its answer");
  const { status } = settlementOf(answer, request).response;
  recordAnswered(ctx, definition.name, asked, { ...trace, status }, { outcome: "created", state: "COMPLETED" });
  return { replayed: false, operationId: row.operation_id, answer };
}

/** Effect, audit and answer are one transaction, so without the answer nothing was done: the key may be used again. */
async function releaseClaim(ctx: EngineContext, row: ClaimRow, error: unknown): Promise<void> {
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
