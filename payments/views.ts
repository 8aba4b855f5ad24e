import type { AccountRow } from "./db/accounts";
import type { PaymentRow } from "./db/payments";
import type { RefundRow } from "./db/refunds";
import { formatAmount } from "@/engine/index";

/** A payment as callers see it. */
export function paymentView(row: PaymentRow): Record<string, unknown> {
  return {
    paymentId: row.id,
    status: row.status,
    accountId: row.account_id,
    amount: formatAmount(row.amount_minor, row.currency),
    currency: row.currency,
    merchantReference: row.merchant_reference,
    channel: row.channel,
    createdAt: row.created_at.toISOString(),
  };
}

export function refundView(row: RefundRow): Record<string, unknown> {
  return {
    refundId: row.id,
    paymentId: row.payment_id,
    amount: formatAmount(row.amount_minor, row.currency),
    currency: row.currency,
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
  };
}

export function accountView(row: AccountRow): Record<string, unknown> {
  return {
    accountId: row.id,
    currency: row.currency,
    defaultCurrency: row.default_currency,
    createdAt: row.created_at.toISOString(),
  };
}

/** Strong validator of an account's settings. */
export function accountEtag(row: AccountRow): string {
  return `"${String(row.version)}"`;
}
