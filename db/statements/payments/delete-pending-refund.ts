import type { Queryable } from "@/db/client";

/** Takes a pending refund and its reservation back after a definite failure without effect. */
export async function deletePendingRefund(db: Queryable, tenantId: string, operationId: string): Promise<void> {
  await db.query({
    name: "delete_pending_refund",
    text: `with gone as (
             delete from onceboard.refunds where tenant_id = $1 and operation_id = $2 and status = 'pending'
             returning payment_id, amount_minor
           )
           update onceboard.payments p set refunded_minor = p.refunded_minor - gone.amount_minor, updated_at = clock_timestamp()
           from gone where p.tenant_id = $1 and p.id = gone.payment_id`,
    values: [tenantId, operationId],
  });
}
