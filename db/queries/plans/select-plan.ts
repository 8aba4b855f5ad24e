import type { Queryable } from "@/db/client";
import { PLAN_COLUMNS, type PlanDbRow } from "./plan-row";

export async function selectPlan(q: Queryable, tenantId: string, id: string): Promise<PlanDbRow | undefined> {
  const { rows } = await q.query<PlanDbRow>({
    text: `select ${PLAN_COLUMNS} from onceboard.plans p where p.tenant_id = $1 and p.id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}
