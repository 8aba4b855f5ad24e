import type { Queryable } from "@/db/client";
import type { PlanFilters } from "@/domain/filters/plans";
import { keyset, type PageRequest, type SortColumns } from "../paging";
import { conditions } from "../sql-text";
import { PLAN_COLUMNS, type PlanDbRow } from "./plan-row";

export const PLAN_SORT: SortColumns = { value: "p.created_at", type: "timestamptz", id: "p.id", idType: "uuid" };

/** Plans by when they were made, with how many of their rows ended how. */
export async function selectPlans(
  q: Queryable,
  tenantId: string,
  filters: PlanFilters,
  page: PageRequest,
): Promise<PlanDbRow[]> {
  const where = conditions();
  where.equal("p.tenant_id", tenantId);
  where.equal("p.kind", filters.kind);
  if (filters.state.length > 0) where.add(`p.state = any (${where.param(filters.state)})`);
  const tail = keyset(where, PLAN_SORT, page);
  const { rows } = await q.query<PlanDbRow>({
    text: `select ${PLAN_COLUMNS} from onceboard.plans p where ${where.text()}\n${tail}`,
    values: where.values,
  });
  return rows;
}
