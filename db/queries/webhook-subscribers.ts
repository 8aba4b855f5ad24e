import type { Queryable } from "@/db/client";

/** @returns ids of the enabled endpoints that want a type of event; no types means all. One read of one tenant's few rows. */
export async function webhookSubscribers(
  db: Queryable,
  tenantId: string,
  type: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "webhook_subscribers",
    text: `select e.id from onceboard.webhook_endpoints e
           where e.tenant_id = $1 and e.disabled_at is null and (e.types = '{}' or $2 = any (e.types))
           order by e.id limit $3`,
    values: [tenantId, type, limit],
  });
  return rows.map(({ id }) => id);
}
