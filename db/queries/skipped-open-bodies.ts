import type { Queryable } from "@/db/client";

/** @returns ids of operations whose bodies are old enough but stay, because they are still open, oldest first. */
export async function skippedOpenBodies(
  db: Queryable,
  tenantId: string,
  bodyTtlHours: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ operation_id: string }>({
    text: `select o.operation_id from onceboard.idempotency_open o
           join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
           where o.tenant_id = $1 and r.created_at <= clock_timestamp() - make_interval(hours => $2)
           order by r.created_at limit $3`,
    values: [tenantId, bodyTtlHours, limit],
  });
  return rows.map((row) => row.operation_id);
}
