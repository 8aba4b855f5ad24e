import { AppError, type EngineContext, type Queryable } from "@/engine/index";
import type { PaymentRow } from "./db/payments";
import { hasRefunded } from "./db/refunds";
import { deletePendingVoid, findVoid, insertVoid, settleVoid, type SettledVoid } from "./db/voids";
import type { VoidPaymentCommand } from "./commands";
import type { RefundCommand } from "./create-refund";
import { existingPayment } from "./read";
import type { PaymentProvider } from "./provider/port";
import { throughProvider } from "./provider/through-provider";
import { notSettled } from "./settlements";
import { paymentView } from "./views";

/** What a void refers to, read before the key is claimed. */
export type VoidCommand = Omit<RefundCommand, "reason">;

/** @throws AppError `payment.not_found` 404: nothing is recorded for the key */
export async function readVoidCommand(ctx: EngineContext, command: VoidPaymentCommand): Promise<VoidCommand> {
  const payment = await existingPayment(ctx, ctx.db.pool, command.paymentId);
  return {
    paymentId: payment.id,
    accountId: payment.account_id,
    amountMinor: payment.amount_minor,
    currency: payment.currency,
  };
}

/** Voids a payment that nothing was refunded of. */
export function voidPayment(provider: PaymentProvider) {
  return throughProvider<VoidCommand, SettledVoid>(provider, {
    name: "payments.void",
    meshFunction: { name: "payments.void", version: "1" },
    effect: "void",
    kind: "void",
    fields: ({ paymentId }) => ({ paymentId }),
    reference: ({ paymentId }) => paymentId,
    async prepare(ctx, tx, { operationId, attempt }, { paymentId }, own) {
      const payment = await existingPayment(ctx, tx, paymentId, { lock: true });
      // A first attempt has no row of an earlier one.
      const earlier = attempt > 1 ? await findVoid(tx, ctx.tenantId, { operationId }) : undefined;
      if (earlier !== undefined) return { row: earlier, payment };
      if (payment.status === "pending") throw notSettled("The payment is not settled yet");
      const unrefunded = payment.status === "succeeded" && payment.refunded_minor === 0n;
      const row = unrefunded ? await insertVoid(tx, { ...own, paymentId }) : undefined;
      if (row !== undefined) return { row, payment };
      if (await isOpen(ctx, tx, payment)) throw notSettled("A void or a refund of this payment is not settled yet");
      return new AppError("payment.not_voidable", 409, "The payment cannot be voided", {
        detail: "It was declined, refunded or voided before. Nothing was sent.",
        extensions: { paymentStatus: payment.status },
      });
    },
    findRow: findVoid,
    settleRow: settleVoid,
    made: (settled) => ({
      event: "payment.voided",
      resource: { type: "payment", id: settled.id },
      view: { ...paymentView(settled), voidId: settled.void_id },
      status: 200,
    }),
    deletePending: deletePendingVoid,
  });
}

/** Whether what stands against a void may still fail: then its refusal must not bind. */
async function isOpen(ctx: EngineContext, tx: Queryable, payment: PaymentRow): Promise<boolean> {
  if (payment.status !== "succeeded") return false;
  if (payment.refunded_minor > 0n) return !(await hasRefunded(tx, ctx.tenantId, payment.id));
  return (await findVoid(tx, ctx.tenantId, { paymentId: payment.id }))?.status === "pending";
}
