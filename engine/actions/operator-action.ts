import type { Queryable } from "@/db/client";
import type { EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import type { ActionOutcome, ActionRequest, ActionResult } from "./action-answer";
import { actionDefinition, actionKey, resultOf } from "./action-definition";
import { requireConfirmation, requirePermission } from "./require";

/**
 * Runs an action of an operator once per (tenant, actor, action, key): permission, effect, audit entry and answer, the last
 * three in one transaction. A second click gets the first answer and is told so.
 *
 * @param run works in the transaction only; an AppError it throws leaves no trace
 * @throws AppError `auth.forbidden` 403, `auth.step_up_required` 403, `idempotency.payload_mismatch` 409, `idempotency.in_progress` 409
 */
export async function operatorAction(
  ctx: EngineContext,
  request: ActionRequest,
  run: (tx: Queryable) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  requirePermission(ctx, request.action);
  requireConfirmation(ctx, request.action);
  const definition = actionDefinition(request, (_ctx, tx) => run(tx));
  return resultOf(
    await execute(ctx, definition, { key: actionKey(ctx, request), command: request, receivedAt: request.receivedAt }),
  );
}

/** How the database keeps somebody: as the one who asked, started, decided, made a key, or looks after an operation. */
export function actorRef(actor: { readonly kind: string; readonly id: string }): string {
  return `${actor.kind}:${actor.id}`;
}
