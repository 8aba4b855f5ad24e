import type { Queryable } from "@/db/client";
import { PLAN_EXPIRES_DAYS } from "@/domain/plan";

/** Plans that nobody agreed to or started for so long that they expire, the oldest first. */
export async function expiredPlans(q: Queryable, tenantId: string, limit: number): Promise<string[]> {
  const { rows } = await q.query<{ id: string }>({
    name: "expired_plans",
    text: `select p.id from onceboard.plans p
           where p.tenant_id = $1 and p.created_at <= clock_timestamp() - make_interval(days => $2)
             and p.state in ('ready', 'awaiting_approval')
             and greatest(p.created_at, p.decided_at) <= clock_timestamp() - make_interval(days => $2)
           order by p.created_at limit $3`,
    values: [tenantId, PLAN_EXPIRES_DAYS, limit],
  });
  return rows.map(({ id }) => id);
}
