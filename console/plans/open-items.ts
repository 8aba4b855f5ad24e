import type { Queryable } from "@/db/client";
import { countPlanItems } from "@/db/plans/select-plan-items";
import { type PlanDbRow, selectPlan } from "@/db/plans/select-plans";
import type { EngineContext } from "@/engine/context";
import { AppError } from "@/domain/errors";
import { type PlanState, type PlanStep, whyNotStep } from "@/domain/plans/plan";

/**
 * A plan, how many of its rows have not ended, and how many of these a start would run: not those that its dry run found still unknown.
 * @throws AppError `plan.not_found` 404
 */
export async function planWithOpenItems(
  tx: Queryable,
  ctx: EngineContext,
  id: string,
): Promise<{ readonly plan: PlanDbRow; readonly waiting: number; readonly toRun: number }> {
  const plan = await selectPlan(tx, ctx.tenantId, id);
  if (plan === undefined) throw planNotFound();
  const counts = await countPlanItems(tx, ctx.tenantId, [id]);
  const open = counts.filter((row) => row.state === "waiting");
  const sum = (rows: typeof open) => rows.reduce((total, row) => total + row.count, 0);
  return { plan, waiting: sum(open), toRun: sum(open.filter((row) => row.lookUp !== "unknown")) };
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
  return planState(state, why ?? "It changed meanwhile.");
}

/** The second person is no program: whoever asked may hold its key. */
export function personOnly(): AppError {
  return new AppError("auth.person_only", 403, "Only a person may do this", {
    detail: "A person approves a plan, not an API key. Nothing was changed.",
  });
}
