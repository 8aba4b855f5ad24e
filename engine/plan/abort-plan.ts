import { abortPlanRow } from "@/db/statements/plans/abort-plan";
import type { ActionRequest, ActionResult } from "../action-answer";
import { actorRef } from "../actor-ref";
import type { EngineContext } from "../context";
import { operatorAction } from "../operator-action";
import { look, stepped } from "./look";
import { planNotFound, planState } from "./plan-errors";

/**
 * Ends a plan where it is: what has not acted stays untouched.
 * @throws AppError `plan.not_found` 404, `plan.state` 409 when it has ended
 */
export async function abortPlan(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const { plan } = await look(tx, ctx, id);
    const said = await abortPlanRow(tx, ctx.tenantId, id, actorRef(ctx.actor));
    if (said === undefined) throw planNotFound();
    if (said !== "stopped") throw planState("abort", said);
    // Counted after the abort, which waited for a row that was under way.
    const { waiting } = await look(tx, ctx, id);
    return stepped(waiting, { state: plan.state }, { state: "aborted", untouched: waiting });
  });
}
