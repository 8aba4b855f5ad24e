import type { Queryable } from "@/db/client";

/** What a plan acted on without success: failed, skipped, or never reached. */
export async function unfinishedTargets(q: Queryable, tenantId: string, planId: string): Promise<string[]> {
  const { rows } = await q.query<{ target_id: string }>({
    text: `select i.target_id from onceboard.plan_items i
           where i.tenant_id = $1 and i.plan_id = $2 and i.state <> 'done' order by i.position`,
    values: [tenantId, planId],
  });
  return rows.map((row) => row.target_id);
}
