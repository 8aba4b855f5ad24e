import type { Queryable } from "@/db/client";

/** Everything that a plan froze, whatever became of it. A plan is bounded, so this is too. */
export async function planTargets(q: Queryable, tenantId: string, planId: string): Promise<string[]> {
  const { rows } = await q.query<{ target_id: string }>({
    text: "select i.target_id from onceboard.plan_items i where i.tenant_id = $1 and i.plan_id = $2 order by i.position",
    values: [tenantId, planId],
  });
  return rows.map((row) => row.target_id);
}
