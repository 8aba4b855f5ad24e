import { AppError, type EngineContext, type Queryable } from "@/engine/index";
import { findAccount } from "./db/accounts";
import { findPayment, type PaymentRow } from "./db/payments";
import { findRefund } from "./db/refunds";
import { accountEtag, accountView, paymentView, refundView } from "./views";

/**
 * @param options.lock takes the row until the transaction ends
 * @throws AppError `payment.not_found` 404, also for another tenant's
 */
export async function existingPayment(
  ctx: EngineContext,
  q: Queryable,
  id: string,
  options: { readonly lock?: boolean } = {},
): Promise<PaymentRow> {
  const row = await findPayment(q, ctx.tenantId, { id }, options);
  if (row === undefined) throw new AppError("payment.not_found", 404, "There is no such payment");
  return row;
}

export async function readPayment(ctx: EngineContext, id: string): Promise<Record<string, unknown>> {
  return paymentView(await existingPayment(ctx, ctx.db.pool, id));
}

/** @throws AppError `refund.not_found` 404 */
export async function readRefund(ctx: EngineContext, id: string): Promise<Record<string, unknown>> {
  const row = await findRefund(ctx.db.pool, ctx.tenantId, { id });
  if (row === undefined) throw new AppError("refund.not_found", 404, "There is no such refund");
  return refundView(row);
}

/** @throws AppError `account.not_found` 404 */
export async function readAccount(
  ctx: EngineContext,
  id: string,
): Promise<{ view: Record<string, unknown>; etag: string }> {
  const row = await findAccount(ctx.db.pool, ctx.tenantId, id);
  if (row === undefined) throw new AppError("account.not_found", 404, "There is no such account");
  return { view: accountView(row), etag: accountEtag(row) };
}
