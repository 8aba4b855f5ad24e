import type { Queryable } from "@/db/client";

/** @returns ids of operations whose bodies are old enough but stay, because they are still open, oldest first. */
export async function skippedOpenBodies(
  db: Queryable,
  tenantId: string,
  retention: { readonly bodyTtlHours: number; readonly ttls: Readonly<Record<string, number>> },
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ operation_id: string }>({
    text: `select o.operation_id from onceboard.idempotency_open o
           join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
           where o.tenant_id = $1 and r.created_at <= clock_timestamp() - make_interval(hours => coalesce(($4::jsonb ->> r.operation)::integer, $2))
           order by r.created_at limit $3`,
    values: [tenantId, retention.bodyTtlHours, limit, JSON.stringify(retention.ttls)],
  });
  return rows.map((row) => row.operation_id);
}
