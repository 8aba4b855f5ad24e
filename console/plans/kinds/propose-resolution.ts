import { v7 as uuidv7 } from "uuid";
import { createPlanRow } from "@/db/plans/create-plan";
import { AppError } from "@/domain/errors";
import { PLAN_RULES, RESOLVE_KIND, sumAmounts } from "@/domain/plans/plan";
import type { PlanResolution } from "@/domain/plans/resolution";
import { readActionFacts } from "@/console/actions/action-facts";
import { refuseContradiction } from "@/console/actions/refuse-contradiction";
import { changedOutcome, type ActionRequest, type ActionResult } from "@/engine/actions/action-answer";
import { actorRef, operatorAction } from "@/engine/actions/operator-action";
import { requireConfirmation, requirePermission } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import { noEvidence } from "@/engine/recover/resolve";
import { approvalNeeded } from "@/presentation/plan/plan-approval";
import { freezeOperations, JUDGES } from "../operation-plans";

/**
 * Asks a second person to approve a decision about one operation: as a plan of one row, which keeps the decision with its evidence and settles
 * nothing before it is approved.
 * @param request its action is `plans.create`; the answer's subject is the plan
 * @throws AppError `operation.not_found` 404, `operation.not_offered` 409 where its service takes no decisions, `operation.not_unknown` 409,
 * `operation.contradicted` 409, `validation.evidence` 422: nothing was changed
 */
export async function proposeResolution(
  ctx: EngineContext,
  request: ActionRequest,
  resolution: PlanResolution,
): Promise<ActionResult> {
  const { resolves: operationId, evidence } = resolution;
  if (evidence.length === 0) throw noEvidence();
  return operatorAction(ctx, request, async (tx) => {
    const { permission } = PLAN_RULES[RESOLVE_KIND];
    requirePermission(ctx, permission);
    requireConfirmation(ctx, permission);
    const { state } = await readActionFacts(ctx, tx, operationId);
    await refuseContradiction(ctx, resolution);
    const items = await freezeOperations(tx, ctx, JUDGES.resolve, { by: "ids", ids: [operationId] }, 1);
    const [item] = items;
    if (item?.verdict === "foreign") throw notOffered(item.why);
    if (item?.acts !== true) throw notUnknown(item?.why ?? "It is gone.");
    const planId = uuidv7();
    const needed = approvalNeeded(RESOLVE_KIND, { acting: 1, amounts: sumAmounts(items) });
    await createPlanRow(tx, {
      tenantId: ctx.tenantId,
      id: planId,
      kind: RESOLVE_KIND,
      filter: resolution,
      reason: request.reason ?? "",
      actor: actorRef(ctx.actor),
      approvalNeeded: needed,
      items,
    });
    const { decision } = resolution;
    const after = { planId, kind: RESOLVE_KIND, state: "awaiting_approval", decision, evidence, operationId };
    return { ...changedOutcome({ state }, after), subject: { type: "plan", id: planId } };
  });
}

function notOffered(why: string): AppError {
  return new AppError("operation.not_offered", 409, "Its service takes no decisions", {
    detail: [why, "Nothing was changed."].join(" "),
  });
}

function notUnknown(why: string): AppError {
  return new AppError("operation.not_unknown", 409, "This operation is not waiting for a decision", {
    detail: [why, "Nothing was changed."].join(" "),
  });
}
