import type { Queryable } from "@/db/client";
import type { PaymentRow } from "@/db/queries/payments/payment-row";
import { PAYMENT_COLUMNS } from "@/db/queries/payments/payment-row";

/** pending → succeeded or failed, by the provider's final word. @throws Error when the payment is not pending */
export async function settlePayment(
  db: Queryable,
  tenantId: string,
  operationId: string,
  status: "succeeded" | "failed",
  providerReference: string | undefined,
): Promise<PaymentRow> {
  const { rows } = await db.query<PaymentRow>({
    name: "settle_payment",
    text: `update onceboard.payments
           set status = $3, provider_reference = coalesce($4, provider_reference), updated_at = clock_timestamp()
           where tenant_id = $1 and operation_id = $2 and status = 'pending'
           returning ${PAYMENT_COLUMNS}`,
    values: [tenantId, operationId, status, providerReference],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`the payment of operation ${operationId} is not pending`);
  return row;
}
