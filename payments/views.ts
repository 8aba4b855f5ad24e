import type { AccountRow } from "./db/accounts";
import type { PaymentRow } from "./db/payments";
import type { RefundRow } from "./db/refunds";
import { formatAmount } from "@/engine/index";
import { MONEY_VERSION } from "./commands";

type View = Readonly<Record<string, unknown>>;

/** @returns the view of something with an amount as a version of the contract has it; any other view, and one without a version, is the same in all */
export function viewIn(apiVersion: string | undefined, view: View): View {
  if (apiVersion !== MONEY_VERSION || !("amount" in view)) return view;
  const { amount, currency, status, ...rest } = view;
  return { ...rest, state: status, amount: { value: amount, currency } };
}

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
