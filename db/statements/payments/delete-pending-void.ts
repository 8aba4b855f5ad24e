import type { Queryable } from "@/db/client";

/** Takes a pending void back after a definite failure without effect. */
export async function deletePendingVoid(db: Queryable, tenantId: string, operationId: string): Promise<void> {
  await db.query({
    name: "delete_pending_void",
    text: "delete from onceboard.voids where tenant_id = $1 and operation_id = $2 and status = 'pending'",
    values: [tenantId, operationId],
  });
}
