import type { Queryable } from "@/db/client";
import { countPlanItems } from "@/db/plans/select-plan-items";
import { type PlanDbRow, selectPlan } from "@/db/plans/select-plans";
import type { EngineContext } from "@/engine/context";
import { AppError } from "@/domain/errors";
import { type PlanState, type PlanStep, whyNotStep } from "@/domain/plans/plan";

/** A plan and how many of its rows have not ended. @throws AppError `plan.not_found` 404 */
export async function planWithOpenItems(
  tx: Queryable,
  ctx: EngineContext,
  id: string,
): Promise<{ readonly plan: PlanDbRow; readonly waiting: number }> {
  const plan = await selectPlan(tx, ctx.tenantId, id);
  if (plan === undefined) throw planNotFound();
  const counts = await countPlanItems(tx, ctx.tenantId, [id]);
  const waiting = counts.filter((row) => row.state === "waiting").reduce((sum, row) => sum + row.count, 0);
  return { plan, waiting };
}

export function planNotFound(): AppError {
  return new AppError("plan.not_found", 404, "There is no such plan", { detail: "Nothing was changed." });
}

/** @param why it stays as it is, as a sentence */
export function planState(state: PlanState, why: string): AppError {
  const detail = `Nothing was changed. ${why}`;
  return new AppError("plan.state", 409, "The state of the plan does not allow this", {
    detail,
    extensions: { state },
  });
}

export function stepRefused(step: PlanStep, state: PlanState): AppError {
  const why = whyNotStep(step, { state, waiting: 1, again: 1 });
  return planState(state, why ?? `It is ${state.replaceAll("_", " ")}.`);
}

/** The second person is no program: whoever asked may hold its key. */
export function personOnly(): AppError {
  return new AppError("auth.person_only", 403, "Only a person may do this", {
    detail: "A person approves a plan, not an API key. Nothing was changed.",
  });
}
