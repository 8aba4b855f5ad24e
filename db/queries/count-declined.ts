import type { Queryable } from "@/db/client";

/** @returns how many effect calls of an operation the provider declined for good, by its journal. */
export async function countDeclined(db: Queryable, tenantId: string, operationId: string): Promise<number> {
  const { rows } = await db.query<{ declined: number }>({
    text: `select count(distinct provider_key)::int as declined from onceboard.provider_requests
           where tenant_id = $1 and operation_id = $2 and outcome = 'declined'`,
    values: [tenantId, operationId],
  });
  return rows[0]?.declined ?? 0;
}
