import { startPlanRow } from "@/db/statements/plans/start-plan";
import { AppError } from "@/domain/errors";
import { PLAN_PERMISSIONS } from "@/domain/plan";
import type { ActionRequest, ActionResult } from "../action-answer";
import { actorRef } from "../actor-ref";
import type { EngineContext } from "../context";
import { operatorAction } from "../operator-action";
import { requireConfirmation } from "../read/require";
import { look, stepped } from "./look";
import { planExpired, planNotFound, planState } from "./plan-errors";

/**
 * Lets the worker run a plan.
 * @throws AppError `auth.step_up_required` 403 for a plan that purges, `plan.not_found` 404, `plan.state` 409 when it waits for approval, runs, has ended or would do nothing
 */
export async function startPlan(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const { plan, waiting } = await look(tx, ctx, id);
    requireConfirmation(ctx, PLAN_PERMISSIONS[plan.kind]);
    if (waiting === 0 && plan.state === "ready") throw nothingActs();
    const said = await startPlanRow(tx, ctx.tenantId, id, actorRef(ctx.actor));
    if (said === undefined) throw planNotFound();
    if (said === "expired") throw planExpired(plan.state);
    if (said !== "started") throw planState("start", said);
    return stepped(waiting, { state: plan.state }, { state: "running" });
  });
}

function nothingActs(): AppError {
  return new AppError("plan.state", 409, "The plan is not in a state for this", {
    detail: "Nothing was changed. None of its rows would act.",
    extensions: { state: "ready" },
  });
}
