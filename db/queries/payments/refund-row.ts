export const REFUND_COLUMNS =
  "id, operation_id, payment_id, amount_minor, currency, reason, status, provider_key, provider_reference, created_at";

export interface RefundRow {
  readonly id: string;
  readonly operation_id: string;
  readonly payment_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly status: "pending" | "succeeded" | "failed";
  readonly provider_key: string;
  readonly provider_reference: string | null;
  readonly created_at: Date;
}
