import type { Queryable } from "@/db/client";
import { PLAN_TOGETHER_MINUTES, type PlanAmount, type PlanPart } from "@/domain/plans/plan";

/**
 * What whoever asks may let act alone besides the rows of a new plan. Plans of this kind are weighed one after the other until the
 * transaction ends, so this belongs before the plan is made, in its transaction.
 *
 * @param plan.targets rows of the new plan that would act, below the threshold: they count there
 */
export async function weighPlan(
  tx: Queryable,
  plan: {
    readonly tenantId: string;
    /** What is weighed together: of a plan its kind. */
    readonly kind: string;
    /** `kind:id` of who asks. */
    readonly actor: string;
    readonly targets: readonly string[];
    /** Days for which people who are tied count as one. */
    readonly tieDays: number;
  },
): Promise<PlanPart & { readonly plans: number; readonly singles: number }> {
  const { rows } = await tx.query<{
    plans: number;
    singles: number;
    acting: number;
    amounts: readonly { readonly currency: string; readonly minor: string }[];
  }>({
    name: "weigh_plan",
    text: "select plans, singles, acting, amounts from onceboard.weigh_plan($1,$2,$3,$4::uuid[],$5,$6)",
    values: [plan.tenantId, plan.kind, plan.actor, plan.targets, PLAN_TOGETHER_MINUTES, plan.tieDays],
  });
  const { plans = 0, singles = 0, acting = 0, amounts = [] } = rows[0] ?? {};
  return {
    plans,
    singles,
    acting,
    amounts: amounts.map(({ currency, minor }) => ({ currency, minor: BigInt(minor) })),
  };
}

/** Notes what somebody did to one row, after {@link weighPlan} in the same transaction. @param act.actor `kind:id` */
export async function keepSingleAct(
  tx: Queryable,
  act: {
    readonly tenantId: string;
    readonly kind: string;
    readonly actor: string;
    readonly amount: PlanAmount | undefined;
    /** For how many rows it counts, below the threshold of its kind. */
    readonly rows: number;
  },
): Promise<void> {
  const { tenantId, kind, actor, amount, rows } = act;
  await tx.query({
    name: "keep_single_act",
    text: "select onceboard.keep_single_act($1,$2,$3,$4,$5,$6) from generate_series(1, $7::integer)",
    values: [tenantId, kind, actor, amount?.minor.toString(), amount?.currency, PLAN_TOGETHER_MINUTES, rows],
  });
}
