import type { Queryable } from "@/db/client";

/** Takes a pending payment back after a definite failure without effect, so that its merchant reference is free again. */
export async function deletePendingPayment(db: Queryable, tenantId: string, operationId: string): Promise<void> {
  await db.query({
    name: "delete_pending_payment",
    text: "delete from onceboard.payments where tenant_id = $1 and operation_id = $2 and status = 'pending'",
    values: [tenantId, operationId],
  });
}
