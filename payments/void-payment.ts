import type { Queryable } from "@/db/client";
import { findPayment, type PaymentRow } from "@/db/payments/payments";
import { hasRefunded } from "@/db/payments/refunds";
import {
  deletePendingVoid,
  findVoid,
  insertVoid,
  settleVoid,
  type SettledVoid,
  type VoidRow,
} from "@/db/payments/voids";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import type { Claim, Preparation, ProviderOperation, Settlement } from "@/engine/execute/operation";
import type { VoidPaymentCommand } from "./commands";
import type { RefundCommand } from "./create-refund";
import { derivedId } from "./derived-id";
import { existingPayment } from "./read";
import type { PaymentProvider, ProviderRequest } from "./provider/port";
import { providerKeyOf } from "./provider/provider-key";
import { outboxMessage } from "./publish";
import { bindingRefusal, madeResource, notSettled } from "./settlements";
import { throughProvider, type ProviderCall } from "./provider/through-provider";
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
export function voidPayment(provider: PaymentProvider): ProviderOperation<VoidCommand, ProviderRequest> {
  return throughProvider(provider, "void", {
    name: "payments.void",
    fields: (command) => ({ paymentId: command.paymentId }),
    describe: ({ accountId, paymentId, amountMinor, currency }) => ({
      accountId,
      reference: paymentId,
      amountMinor,
      currency,
    }),
    prepare,
    readCall,
    settleRow: settleVoid,
    made,
    deletePending: deletePendingVoid,
  });
}

async function prepare(
  ctx: EngineContext,
  tx: Queryable,
  claim: Claim,
  command: VoidCommand,
): Promise<Preparation<ProviderRequest>> {
  const { operationId } = claim;
  const id = derivedId(operationId, "void");
  const providerKey = await providerKeyOf(ctx, tx, claim, "void", id);
  const { paymentId, amountMinor, currency } = command;
  const ready = (row: VoidRow, payment: PaymentRow): Preparation<ProviderRequest> => ({
    kind: "ready",
    prepared: { providerKey, kind: "void", amountMinor, currency },
    call: requestOf(ctx, operationId, row, payment),
  });
  const payment = await existingPayment(ctx, tx, paymentId, { lock: true });
  // A first attempt has no row of an earlier one.
  const earlier = claim.attempt > 1 ? await findVoid(tx, ctx.tenantId, { operationId }) : undefined;
  if (earlier !== undefined) return ready(earlier, payment);
  if (payment.status === "pending") {
    throw notSettled("The payment is not settled yet");
  }
  const unrefunded = payment.status === "succeeded" && payment.refunded_minor === 0n;
  const inserted = unrefunded
    ? await insertVoid(tx, { tenantId: ctx.tenantId, id, operationId, paymentId, providerKey })
    : undefined;
  if (inserted !== undefined) return ready(inserted, payment);
  if (await isOpen(ctx, tx, payment)) {
    throw notSettled("A void or a refund of this payment is not settled yet");
  }
  const refusal = new AppError("payment.not_voidable", 409, "The payment cannot be voided", {
    detail: "It was declined, refunded or voided before. Nothing was sent.",
    extensions: { paymentStatus: payment.status },
  });
  return { kind: "refused", settlement: bindingRefusal(operationId, refusal) };
}

/** Whether what stands against a void may still fail: then its refusal must not bind. */
async function isOpen(ctx: EngineContext, tx: Queryable, payment: PaymentRow): Promise<boolean> {
  if (payment.status !== "succeeded") return false;
  if (payment.refunded_minor > 0n) return !(await hasRefunded(tx, ctx.tenantId, payment.id));
  return (await findVoid(tx, ctx.tenantId, { paymentId: payment.id }))?.status === "pending";
}

function made(ctx: EngineContext, operationId: string, settled: SettledVoid): Settlement {
  const view = { ...paymentView(settled), voidId: settled.void_id };
  const message = outboxMessage(ctx, {
    type: "payment.voided",
    operationId,
    aggregate: { type: "payment", id: settled.id },
    data: view,
  });
  return madeResource(200, { type: "payment", id: settled.id }, `/api/v1/payments/${settled.id}`, view, message);
}

async function readCall(ctx: EngineContext, operationId: string): Promise<ProviderCall> {
  const row = await findVoid(ctx.db.pool, ctx.tenantId, { operationId });
  const payment = row && (await findPayment(ctx.db.pool, ctx.tenantId, { id: row.payment_id }));
  if (row === undefined || payment === undefined) throw new Error(`operation ${operationId} has no void`);
  return { since: row.created_at, request: requestOf(ctx, operationId, row, payment) };
}

function requestOf(ctx: EngineContext, operationId: string, row: VoidRow, payment: PaymentRow): ProviderRequest {
  return {
    providerKey: row.provider_key,
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    accountId: payment.account_id,
    ...(payment.provider_reference !== null && { chargeReference: payment.provider_reference }),
    metadata: { tenant: ctx.tenantId, operationId, voidId: row.id },
  };
}
