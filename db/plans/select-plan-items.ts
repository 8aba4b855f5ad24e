import type { Queryable } from "@/db/client";
import { keyset, type PageRequest, type SortColumns } from "@/db/paging";
import { conditions, iso } from "@/db/sql-text";
import type { PlanItemState } from "@/domain/plans/plan";
import { ITEM_RESULT, type ItemResultRow } from "./run-plan";
import { type PlanItemFilters, SHOWN_RESULTS } from "@/domain/lists/filters";

export interface PlanItemDbRow extends ItemResultRow {
  readonly position: number;
  readonly target_id: string;
  readonly label: Readonly<Record<string, string>>;
  readonly verdict: string;
  readonly verdict_reason: string;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly state: PlanItemState;
  readonly outcome: string | null;
  readonly ended_at: string | null;
  /** The verdict let it act, and it did not. */
  readonly changed: boolean;
}

export const PLAN_ITEM_SORT: SortColumns = { value: "i.position", type: "bigint", id: "i.position", idType: "bigint" };

/** Rows that ended otherwise than the dry run said. */
const CHANGED = "i.state in ('skipped', 'failed') and i.outcome is distinct from i.verdict_reason";

/** Rows of one plan in their order. */
export async function selectPlanItems(
  q: Queryable,
  tenantId: string,
  planId: string,
  filters: PlanItemFilters,
  page: PageRequest,
): Promise<PlanItemDbRow[]> {
  const where = conditions();
  where.equal("i.tenant_id", tenantId);
  where.add(`i.plan_id = ${where.param(planId)}::uuid`);
  where.equal("i.verdict", filters.verdict);
  if (filters.show === "changed") where.add(CHANGED);
  else if (filters.show !== "all") where.add(`(${ITEM_RESULT}) = any (${where.param(SHOWN_RESULTS[filters.show])})`);
  const tail = keyset(where, PLAN_ITEM_SORT, page);
  const { rows } = await q.query<PlanItemDbRow>({
    text: `select i.position, i.target_id, i.label, i.verdict, i.verdict_reason, i.amount_minor, i.currency, i.state, ${ITEM_RESULT} as result, i.outcome, ${iso("i.ended_at")} as ended_at, (${CHANGED}) as changed
from onceboard.plan_items i where ${where.text()}\n${tail}`,
    values: where.values,
  });
  return rows;
}

/** How many rows of a plan ended otherwise than the dry run said. */
export async function countChangedItems(q: Queryable, tenantId: string, planId: string): Promise<number> {
  const { rows } = await q.query<{ count: number }>({
    text: `select count(*)::int as count from onceboard.plan_items i where i.tenant_id = $1 and i.plan_id = $2 and ${CHANGED}`,
    values: [tenantId, planId],
  });
  return rows[0]?.count ?? 0;
}

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

/** Everything that a plan froze, whatever became of it. A plan is bounded, so this is too. */
export async function planTargets(q: Queryable, tenantId: string, planId: string): Promise<string[]> {
  const { rows } = await q.query<{ target_id: string }>({
    text: "select i.target_id from onceboard.plan_items i where i.tenant_id = $1 and i.plan_id = $2 order by i.position",
    values: [tenantId, planId],
  });
  return rows.map((row) => row.target_id);
}
