import type { Queryable } from "@/db/client";

/** Of a few plans those behind which the same person stands as behind `actor`, in whatever way either comes. @param actor `kind:id` */
export async function ownPlans(
  q: Queryable,
  tenantId: string,
  planIds: readonly string[],
  actor: string,
): Promise<ReadonlySet<string>> {
  if (planIds.length === 0) return new Set();
  const { rows } = await q.query<{ id: string }>({
    text: `select p.id from onceboard.plans p where p.tenant_id = $1 and p.id = any ($2::uuid[])
           and onceboard.people_behind($1, p.created_by) && onceboard.people_behind($1, $3)`,
    values: [tenantId, planIds, actor],
  });
  return new Set(rows.map(({ id }) => id));
}
