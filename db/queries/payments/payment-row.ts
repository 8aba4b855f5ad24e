export const PAYMENT_COLUMNS =
  "id, operation_id, account_id, amount_minor, refunded_minor, currency, merchant_reference, channel, status, provider_key, provider_reference, created_at";

export interface PaymentRow {
  readonly id: string;
  readonly operation_id: string;
  readonly account_id: string;
  readonly amount_minor: bigint;
  readonly refunded_minor: bigint;
  readonly currency: string;
  readonly merchant_reference: string | null;
  readonly channel: string;
  readonly status: "pending" | "succeeded" | "failed" | "voided";
  readonly provider_key: string;
  readonly provider_reference: string | null;
  readonly created_at: Date;
}
