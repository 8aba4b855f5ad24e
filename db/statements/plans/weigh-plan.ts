import type { Queryable } from "@/db/client";
import { PLAN_TOGETHER_MINUTES, type PlanKindName, type PlanPart } from "@/domain/plan";

/**
 * What whoever asks may let act alone besides the rows of a new plan. Plans of this kind are weighed one after the other until the
 * transaction ends, so this belongs before the plan is made, in its transaction.
 *
 * @param targets rows of the new plan that would act, below the threshold: they count there
 */
export async function weighPlan(
  tx: Queryable,
  plan: {
    readonly tenantId: string;
    readonly kind: PlanKindName;
    /** `kind:id` of who asks. */
    readonly actor: string;
    readonly targets: readonly string[];
  },
): Promise<PlanPart & { readonly plans: number }> {
  const { rows } = await tx.query<{
    plans: number;
    acting: number;
    amounts: readonly { readonly currency: string; readonly minor: string }[];
  }>({
    name: "weigh_plan",
    text: "select plans, acting, amounts from onceboard.weigh_plan($1,$2,$3,$4::uuid[],$5)",
    values: [plan.tenantId, plan.kind, plan.actor, plan.targets, PLAN_TOGETHER_MINUTES],
  });
  const { plans = 0, acting = 0, amounts = [] } = rows[0] ?? {};
  return { plans, acting, amounts: amounts.map(({ currency, minor }) => ({ currency, minor: BigInt(minor) })) };
}
