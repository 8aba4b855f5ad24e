import type { Queryable } from "@/db/client";
import { REFUND_COLUMNS, type RefundRow } from "@/db/queries/payments/refund-row";

/** pending → succeeded or failed; a failed refund gives its reservation back. @returns the refund with the account of its payment @throws Error when it is not pending */
export async function settleRefund(
  db: Queryable,
  tenantId: string,
  operationId: string,
  status: "succeeded" | "failed",
  providerReference: string | undefined,
): Promise<RefundRow & { readonly account_id: string }> {
  const { rows } = await db.query<RefundRow & { readonly account_id: string }>({
    name: "settle_refund",
    text: `with settled as (
             update onceboard.refunds
             set status = $3, provider_reference = coalesce($4, provider_reference), updated_at = clock_timestamp()
             where tenant_id = $1 and operation_id = $2 and status = 'pending'
             returning *
           ), freed as (
             update onceboard.payments p set refunded_minor = p.refunded_minor - s.amount_minor, updated_at = clock_timestamp()
             from settled s where p.tenant_id = $1 and p.id = s.payment_id and $3 = 'failed'
           )
           select ${REFUND_COLUMNS},
             (select p.account_id from onceboard.payments p where p.tenant_id = $1 and p.id = payment_id) as account_id
           from settled`,
    values: [tenantId, operationId, status, providerReference],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`the refund of operation ${operationId} is not pending`);
  return row;
}
