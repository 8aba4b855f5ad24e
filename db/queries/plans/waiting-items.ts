import type { Queryable } from "@/db/client";

export interface WaitingItem {
  readonly position: number;
  readonly target_id: string;
}

/** The next rows of a plan that have not ended, in their order. */
export async function waitingItems(
  q: Queryable,
  tenantId: string,
  planId: string,
  limit: number,
): Promise<WaitingItem[]> {
  const { rows } = await q.query<WaitingItem>({
    name: "waiting_plan_items",
    text: `select i.position, i.target_id from onceboard.plan_items i
           where i.tenant_id = $1 and i.plan_id = $2 and i.state = 'waiting' order by i.position limit $3`,
    values: [tenantId, planId, limit],
  });
  return rows;
}
