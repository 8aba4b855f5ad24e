import type { Queryable } from "@/db/client";
import type { PlanItemState } from "@/domain/plan";
import { ITEM_RESULT, type ItemResultRow } from "./item-result";

export interface PlanItemCountRow extends ItemResultRow {
  readonly plan_id: string;
  readonly verdict: string;
  readonly state: PlanItemState;
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
    text: `select i.plan_id, i.verdict, i.state, ${ITEM_RESULT} as result, count(*)::int as count from onceboard.plan_items i
where i.tenant_id = $1 and i.plan_id = any ($2::uuid[]) group by 1, 2, 3, 4`,
    values: [tenantId, planIds],
  });
  return rows;
}
