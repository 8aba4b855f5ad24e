import type { Queryable } from "@/db/client";
import type { PlanItemState } from "@/domain/plan";
import type { ClaimedPlan } from "./claim-plan";

/** Ends a row, in the transaction of what it did. @returns false: it is not ours any more, roll back */
export async function settlePlanItem(
  db: Queryable,
  tenantId: string,
  plan: Pick<ClaimedPlan, "id" | "fence">,
  item: { readonly position: number; readonly state: Exclude<PlanItemState, "waiting">; readonly outcome: string },
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "settle_plan_item",
    text: "select onceboard.settle_plan_item($1,$2,$3,$4,$5,$6) as done",
    values: [tenantId, plan.id, plan.fence, item.position, item.state, item.outcome],
  });
  return rows[0]?.done === true;
}
