import type { Queryable } from "@/db/client";
import { countPlanItems } from "@/db/plans/select-plan-items";
import { type PlanDbRow, selectPlan } from "@/db/plans/select-plans";
import type { EngineContext } from "@/engine/context";
import { planNotFound } from "./plan-errors";

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
