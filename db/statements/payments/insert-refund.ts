import type { Queryable } from "@/db/client";
import { REFUND_COLUMNS, type RefundRow } from "@/db/queries/payments/refund-row";

export interface NewRefund {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly paymentId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly providerKey: string;
}

/** Creates the refund and reserves its amount on the payment; the CHECK of payments refuses more than what is left. */
export async function insertRefund(db: Queryable, refund: NewRefund): Promise<RefundRow> {
  const { rows } = await db.query<RefundRow>({
    name: "insert_refund",
    text: `with reserved as (
             update onceboard.payments set refunded_minor = refunded_minor + $5, updated_at = clock_timestamp()
             where tenant_id = $1 and id = $4
           )
           insert into onceboard.refunds (tenant_id, id, operation_id, payment_id, amount_minor, currency, reason, status, provider_key)
           values ($1, $2, $3, $4, $5, $6, $7, 'pending', $8)
           returning ${REFUND_COLUMNS}`,
    values: [
      refund.tenantId,
      refund.id,
      refund.operationId,
      refund.paymentId,
      refund.amountMinor,
      refund.currency,
      refund.reason,
      refund.providerKey,
    ],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`the refund of operation ${refund.operationId} was not inserted`);
  return row;
}
