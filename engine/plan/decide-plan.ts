import { decidePlanRow } from "@/db/statements/plans/decide-plan";
import { AppError } from "@/domain/errors";
import { PLAN_PERMISSIONS } from "@/domain/plan";
import type { ActionRequest, ActionResult } from "../action-answer";
import { actorRef } from "../actor-ref";
import type { EngineContext } from "../context";
import { operatorAction } from "../operator-action";
import { requireConfirmation } from "../read/require";
import { look, stepped } from "./look";
import { personOnly, planExpired, planNotFound, planState } from "./plan-errors";

export interface PlanDecision {
  readonly decision: "approve" | "reject";
  /** Approving also starts it: what its requester, who may act, planned waits for this word only. */
  readonly start: boolean;
}

/**
 * The second person's word. Whoever asked for the plan cannot give it, whatever their role, and whether they asked by themselves or with
 * a key; nor can a program, which whoever asked may hold the key of.
 * @throws AppError `auth.person_only` 403, `plan.own_request` 403, `plan.not_found` 404, `plan.state` 409
 */
export async function decidePlan(
  ctx: EngineContext,
  request: ActionRequest,
  id: string,
  { decision, start }: PlanDecision,
): Promise<ActionResult> {
  if (ctx.actor.kind === "client") throw personOnly();
  return operatorAction(ctx, request, async (tx) => {
    const { plan, waiting } = await look(tx, ctx, id);
    const approve = decision === "approve";
    if (approve && start) requireConfirmation(ctx, PLAN_PERMISSIONS[plan.kind]);
    const actor = actorRef(ctx.actor);
    const said = await decidePlanRow(tx, ctx.tenantId, id, { approve, start, actor, reason: request.reason });
    if (said === undefined) throw planNotFound();
    if (said === "no_person") throw personOnly();
    if (said === "expired") throw planExpired(plan.state);
    if (said === "own") {
      throw new AppError("plan.own_request", 403, "Another person has to agree", {
        detail:
          "Nothing was changed. Whoever asks for a plan, also with a key of a client that they made a key for, cannot approve or reject it; abort it instead.",
      });
    }
    if (said !== "decided") throw planState("decide", said);
    const state = approve ? (start ? "running" : "ready") : "rejected";
    return stepped(waiting, { state: plan.state }, { state, decision });
  });
}
