import { v7 as uuidv7 } from "uuid";
import { purgeBodiesBatch } from "@/db/bodies/purge-bodies";
import { recordRetentionRun } from "@/db/retention/retention-runs";
import { OPEN_STATES } from "@/domain/idempotency/states";
import {
  changedOutcome,
  unchangedOutcome,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { readActionFacts } from "./reconcile-action";

/**
 * Deletes command and answer of one settled operation for good; the key still answers, by reference only. What is open is skipped
 * and says why.
 * @throws AppError `operation.not_found` 404
 */
export async function purgeBody(
  ctx: EngineContext,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const before = await readActionFacts(ctx, tx, operationId);
    const skip = (why: string) => unchangedOutcome(operationId, why, before);
    if (OPEN_STATES.includes(before.state)) return skip("It is still open: the body is evidence.");
    if (before.bodyPurgedAt !== undefined) return skip("Its body was purged already.");
    const purged = await purgeBodiesBatch(tx, { tenantId: ctx.tenantId, bodyTtlHours: 0, limit: 1, operationId });
    if (purged.operations === 0) return skip("There is no stored body, or its key may still run again.");
    await recordRetentionRun(tx, {
      tenantId: ctx.tenantId,
      id: uuidv7(),
      actor: ctx.actor.name,
      kind: "purge_body",
      rows: purged.bodyRows,
      bytes: purged.bytes,
      detail: { operationId },
    });
    const after = {
      ...(await readActionFacts(ctx, tx, operationId)),
      bodyRows: purged.bodyRows,
      bytes: purged.bytes.toString(),
    };
    return changedOutcome(before, after);
  });
}
