import type { Queryable } from "@/db/client";
import type { PlanItemState } from "@/domain/plan";
import { STILL_UNKNOWN } from "@/domain/plan-words";

export interface PlanItemCountRow {
  readonly plan_id: string;
  readonly verdict: string;
  readonly state: PlanItemState;
  /** The dry run let it act; what it did not has ended as skipped, for the reason of its verdict. */
  readonly acts: boolean;
  /** The provider was asked and the outcome stayed unknown. */
  readonly asked: boolean;
  readonly count: number;
}

/** Rows of a few plans by verdict of the dry run and by how they ended. A plan is bounded, so this is too. */
export async function countPlanItems(
  q: Queryable,
  tenantId: string,
  planIds: readonly string[],
): Promise<PlanItemCountRow[]> {
  if (planIds.length === 0) return [];
  const { rows } = await q.query<PlanItemCountRow>({
    text: `select i.plan_id, i.verdict, i.state,
  not (i.state = 'skipped' and i.outcome is not distinct from i.verdict_reason) as acts,
  i.state = 'skipped' and starts_with(coalesce(i.outcome, ''), $3) as asked, count(*)::int as count from onceboard.plan_items i
where i.tenant_id = $1 and i.plan_id = any ($2::uuid[]) group by 1, 2, 3, 4, 5`,
    values: [tenantId, planIds, STILL_UNKNOWN],
  });
  return rows;
}
