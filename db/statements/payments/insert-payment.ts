import type { Queryable } from "@/db/client";
import { PAYMENT_COLUMNS, type PaymentRow } from "@/db/queries/payments/payment-row";

export interface NewPayment {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly accountId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly merchantReference: string | null;
  readonly channel: string;
  readonly providerKey: string;
}

/** @returns undefined when the id or the merchant reference of this account is taken. */
export async function insertPayment(db: Queryable, payment: NewPayment): Promise<PaymentRow | undefined> {
  const { rows } = await db.query<PaymentRow>({
    name: "insert_payment",
    text: `insert into onceboard.payments
             (tenant_id, id, operation_id, account_id, amount_minor, currency, merchant_reference, channel, status, provider_key)
           values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9)
           on conflict do nothing
           returning ${PAYMENT_COLUMNS}`,
    values: [
      payment.tenantId,
      payment.id,
      payment.operationId,
      payment.accountId,
      payment.amountMinor,
      payment.currency,
      payment.merchantReference,
      payment.channel,
      payment.providerKey,
    ],
  });
  return rows[0];
}
