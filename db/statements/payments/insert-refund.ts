import type { Queryable } from "@/db/client";

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
export async function insertRefund(db: Queryable, refund: NewRefund): Promise<void> {
  await db.query({
    name: "insert_refund",
    text: `with reserved as (
             update onceboard.payments set refunded_minor = refunded_minor + $5, updated_at = clock_timestamp()
             where tenant_id = $1 and id = $4
           )
           insert into onceboard.refunds (tenant_id, id, operation_id, payment_id, amount_minor, currency, reason, status, provider_key)
           values ($1, $2, $3, $4, $5, $6, $7, 'pending', $8)`,
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
}
