import type { Queryable } from "@/engine/index";

export const PAYMENT_COLUMNS =
  "id, operation_id, account_id, amount_minor, refunded_minor, currency, merchant_reference, channel, status, provider_key, provider_reference, created_at";

/** Of every effect at the provider. */
export type EffectStatus = "pending" | "succeeded" | "failed";

export interface PaymentRow {
  readonly id: string;
  readonly operation_id: string;
  readonly account_id: string;
  readonly amount_minor: bigint;
  readonly refunded_minor: bigint;
  readonly currency: string;
  readonly merchant_reference: string | null;
  readonly channel: string;
  readonly status: EffectStatus | "voided";
  readonly provider_key: string;
  readonly provider_reference: string | null;
  readonly created_at: Date;
}

type By =
  | { readonly id: string }
  | { readonly operationId: string }
  | { readonly accountId: string; readonly merchantReference: string };

/** @param options.lock takes the row until the transaction ends, before a refund or a void decides what is left */
export async function findPayment(
  db: Queryable,
  tenantId: string,
  by: By,
  options: { readonly lock?: boolean } = {},
): Promise<PaymentRow | undefined> {
  const lock = options.lock === true ? " for update" : "";
  const select = `select ${PAYMENT_COLUMNS} from payments.payments where tenant_id = $1`;
  const [where, values] =
    "id" in by
      ? ["id = $2", [by.id]]
      : "operationId" in by
        ? ["operation_id = $2", [by.operationId]]
        : ["account_id = $2 and merchant_reference = $3 and status <> 'failed'", [by.accountId, by.merchantReference]];
  const text = `${select} and ${where}${lock}`;
  const { rows } = await db.query<PaymentRow>({ text, values: [tenantId, ...values] });
  return rows[0];
}

export interface PaymentInsert {
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
export async function insertPayment(db: Queryable, payment: PaymentInsert): Promise<PaymentRow | undefined> {
  const { tenantId, id, operationId, accountId, amountMinor, currency, merchantReference, channel, providerKey } =
    payment;
  const { rows } = await db.query<PaymentRow>({
    name: "insert_payment",
    text: `insert into payments.payments
             (tenant_id, id, operation_id, account_id, amount_minor, currency, merchant_reference, channel, status, provider_key)
           values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9)
           on conflict do nothing
           returning ${PAYMENT_COLUMNS}`,
    values: [tenantId, id, operationId, accountId, amountMinor, currency, merchantReference, channel, providerKey],
  });
  return rows[0];
}

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
    text: `update payments.payments
           set status = $3, provider_reference = coalesce($4, provider_reference), updated_at = now()
           where tenant_id = $1 and operation_id = $2 and status = 'pending'
           returning ${PAYMENT_COLUMNS}`,
    values: [tenantId, operationId, status, providerReference],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`the payment of operation ${operationId} is not pending`);
  return row;
}

/** Takes a pending payment back after a definite failure without effect, so that its merchant reference is free again. */
export async function deletePendingPayment(db: Queryable, tenantId: string, operationId: string): Promise<void> {
  await db.query({
    name: "delete_pending_payment",
    text: "delete from payments.payments where tenant_id = $1 and operation_id = $2 and status = 'pending'",
    values: [tenantId, operationId],
  });
}
