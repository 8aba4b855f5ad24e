import type { Queryable } from "@/db/client";
import type { NewPlanItem } from "@/db/plans/create-plan";
import { weighPlan } from "@/db/second-person/weigh-plan";
import { type PlanKindName, sumAmounts } from "@/domain/plans/plan";
import { approvalNeeded } from "@/presentation/plan/plan-approval";

export interface WeighedPlan {
  readonly tenantId: string;
  readonly kind: PlanKindName;
  /** `kind:id` of who asked for it. */
  readonly actor: string;
  /** Its rows; those that do not act count nowhere. */
  /** Days for which people who are tied count as one. */
  readonly tieDays: number;
  readonly items: readonly Pick<NewPlanItem, "targetId" | "acts" | "amount" | "rows">[];
}

/**
 * Why a plan needs a second person: by itself, or together with what the same person has ready or ran a short while ago: a plan in pieces is
 * one plan. Plans of a kind are weighed one after the other until the transaction ends.
 * @returns whole sentences; undefined: nobody has to agree
 */
export async function whyTwoPeople(
  tx: Queryable,
  { tenantId, kind, actor, items, tieDays }: WeighedPlan,
): Promise<string | undefined> {
  const acting = items.filter(({ acts }) => acts);
  const here = { acting: acting.reduce((sum, { rows = 1 }) => sum + rows, 0), amounts: sumAmounts(acting) };
  const alone = approvalNeeded(kind, here);
  if (alone !== undefined || acting.length === 0) return alone;
  const targets = items.map(({ targetId }) => targetId);
  return approvalNeeded(kind, here, await weighPlan(tx, { tenantId, kind, actor, targets, tieDays }));
}
