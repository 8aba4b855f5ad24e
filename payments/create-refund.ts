import { AppError, type EngineContext, formatAmount, parseAmount, type Queryable } from "@/engine/index";
import type { PaymentRow } from "./db/payments";
import { deletePendingRefund, findRefund, firstRefund, insertRefund, type RefundRow, settleRefund } from "./db/refunds";
import { findVoid } from "./db/voids";
import type { CreateRefundCommand } from "./commands";
import { existingPayment } from "./read";
import type { PaymentProvider } from "./provider/port";
import { throughProvider } from "./provider/through-provider";
import { notSettled } from "./settlements";
import { refundView } from "./views";

/** A refund command with its payment read: amount and currency are known before the key is claimed. */
export interface RefundCommand {
  readonly paymentId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly accountId: string;
  readonly reason: string | undefined;
}

/**
 * Reads what a refund refers to. A payment's currency never changes, so the fingerprint stays the same on every retry.
 * @throws AppError `payment.not_found` 404, `validation.amount` 422: nothing is recorded for the key
 */
export async function readRefundCommand(ctx: EngineContext, command: CreateRefundCommand): Promise<RefundCommand> {
  const payment = await existingPayment(ctx, ctx.db.pool, command.paymentId);
  const amountMinor = parseAmount(command.amount, payment.currency);
  if (amountMinor === undefined) {
    throw new AppError("validation.amount", 422, "The amount does not fit the payment's currency");
  }
  const { currency, account_id: accountId } = payment;
  return { paymentId: payment.id, amountMinor, currency, accountId, reason: command.reason };
}

/** Gives money back, never more than what is left; by policy once per payment. */
export function createRefund(provider: PaymentProvider) {
  return throughProvider<RefundCommand, RefundRow & { readonly account_id: string }>(provider, {
    name: "refunds.create",
    meshFunction: { name: "payments.refund", version: "1" },
    effect: "refund",
    kind: "refund",
    fields: ({ paymentId, amountMinor, currency, reason = null }) => ({
      paymentId,
      amount: formatAmount(amountMinor, currency),
      currency,
      reason,
    }),
    reference: ({ paymentId }) => paymentId,
    onceFor: "payment",
    async prepare(ctx, tx, { operationId, attempt, policy }, { paymentId, amountMinor, currency, reason = null }, own) {
      const payment = await existingPayment(ctx, tx, paymentId, { lock: true });
      // A first attempt has no row of an earlier one.
      const earlier = attempt > 1 ? await findRefund(tx, ctx.tenantId, { operationId }) : undefined;
      if (earlier !== undefined) return { row: earlier, payment };
      const refusal =
        (await whyNotRefundable(ctx, tx, payment)) ??
        (policy.newKey === "once" ? await whyNotAgain(ctx, tx, payment) : undefined) ??
        exceeding(payment, amountMinor);
      if (refusal !== undefined) return refusal;
      return { row: await insertRefund(tx, { ...own, paymentId, amountMinor, currency, reason }), payment };
    },
    findRow: findRefund,
    settleRow: settleRefund,
    made(refund) {
      const view = refundView(refund);
      return {
        event: "refund.succeeded",
        resource: { type: "refund", id: refund.id },
        view,
        // Events of a payment and of its refunds keep their order.
        aggregate: { type: "payment", id: refund.payment_id },
        data: { ...view, accountId: refund.account_id },
      };
    },
    deletePending: deletePendingRefund,
  });
}

async function whyNotRefundable(ctx: EngineContext, tx: Queryable, payment: PaymentRow): Promise<AppError | undefined> {
  // Not final yet: thrown, so that it does not bind.
  if (payment.status === "pending") throw notSettled("The payment is not settled yet");
  const voidRow = await findVoid(tx, ctx.tenantId, { paymentId: payment.id });
  if (voidRow?.status === "pending") throw notSettled("A void of this payment is not settled yet");
  const voided = payment.status === "voided" || voidRow !== undefined;
  if (!voided && payment.status !== "failed") return undefined;
  return new AppError("payment.not_refundable", 409, voided ? "The payment is voided" : "The payment was declined");
}

/** The payment's row is locked, so of two keys at once the second one sees the refund of the first. */
async function whyNotAgain(ctx: EngineContext, tx: Queryable, payment: PaymentRow): Promise<AppError | undefined> {
  const first = await firstRefund(tx, ctx.tenantId, payment.id);
  if (first === undefined) return undefined;
  const extensions = { refundId: first.id, refundOperationId: first.operation_id };
  // It may have happened: no second one. It may still fail: then this one may go, so it does not bind.
  if (first.status === "pending") throw notSettled("A refund of this payment is not settled yet", extensions);
  return new AppError("refund.only_once", 409, "This payment has a refund already", {
    detail: "A payment is refunded once here. Nothing was sent.",
    extensions,
  });
}

function exceeding(payment: PaymentRow, amountMinor: bigint): AppError | undefined {
  const left = payment.amount_minor - payment.refunded_minor;
  if (amountMinor <= left) return undefined;
  return new AppError("refund.exceeds_remaining", 422, "The refund is more than what is left of the payment", {
    extensions: { remaining: formatAmount(left, payment.currency), currency: payment.currency },
  });
}
