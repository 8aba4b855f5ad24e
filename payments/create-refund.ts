import type { Queryable } from "@/db/client";
import { findPayment, type PaymentRow } from "@/db/payments/payments";
import { deletePendingRefund, findRefund, insertRefund, type RefundRow, settleRefund } from "@/db/payments/refunds";
import { findVoid } from "@/db/payments/voids";
import { AppError } from "@/domain/errors";
import { formatAmount, parseAmount } from "@/domain/money";
import type { EngineContext } from "@/engine/context";
import type { Claim, Preparation, ProviderOperation, Settlement } from "@/engine/execute/operation";
import type { CreateRefundCommand } from "./commands";
import { derivedId } from "./derived-id";
import { existingPayment } from "./read";
import type { PaymentProvider, ProviderRequest } from "./provider/port";
import { providerKeyOf } from "./provider/provider-key";
import { outboxMessage } from "./publish";
import { bindingRefusal, madeResource, notSettled } from "./settlements";
import { throughProvider, type ProviderCall } from "./provider/through-provider";
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

/** Gives money back, never more than what is left. */
export function createRefund(provider: PaymentProvider): ProviderOperation<RefundCommand, ProviderRequest> {
  return throughProvider(provider, "refund", {
    name: "refunds.create",
    fields: (command) => ({
      paymentId: command.paymentId,
      amount: formatAmount(command.amountMinor, command.currency),
      currency: command.currency,
      reason: command.reason ?? null,
    }),
    describe: ({ accountId, paymentId, amountMinor, currency }) => ({
      accountId,
      reference: paymentId,
      amountMinor,
      currency,
    }),
    prepare,
    readCall,
    settleRow: settleRefund,
    made,
    deletePending: deletePendingRefund,
  });
}

async function prepare(
  ctx: EngineContext,
  tx: Queryable,
  claim: Claim,
  command: RefundCommand,
): Promise<Preparation<ProviderRequest>> {
  const { operationId } = claim;
  const id = derivedId(operationId, "refund");
  const providerKey = await providerKeyOf(ctx, tx, claim, "refund", id);
  const { amountMinor, currency, paymentId } = command;
  const ready = (refund: RefundRow, payment: PaymentRow): Preparation<ProviderRequest> => ({
    kind: "ready",
    prepared: { providerKey, kind: "refund", amountMinor, currency },
    call: requestOf(ctx, refund, payment),
  });
  const payment = await existingPayment(ctx, tx, paymentId, { lock: true });
  // A first attempt has no row of an earlier one.
  const earlier = claim.attempt > 1 ? await findRefund(tx, ctx.tenantId, { operationId }) : undefined;
  if (earlier !== undefined) return ready(earlier, payment);
  const refusal = await whyNotRefund(ctx, tx, payment, amountMinor);
  if (refusal !== undefined) return { kind: "refused", settlement: bindingRefusal(operationId, refusal) };
  const reason = command.reason ?? null;
  const inserted = await insertRefund(tx, {
    tenantId: ctx.tenantId,
    id,
    operationId,
    paymentId,
    amountMinor,
    currency,
    reason,
    providerKey,
  });
  return ready(inserted, payment);
}

async function whyNotRefund(
  ctx: EngineContext,
  tx: Queryable,
  payment: PaymentRow,
  amountMinor: bigint,
): Promise<AppError | undefined> {
  // Not final yet: thrown, so that it does not bind.
  if (payment.status === "pending") {
    throw notSettled("The payment is not settled yet");
  }
  const voidRow = await findVoid(tx, ctx.tenantId, { paymentId: payment.id });
  if (voidRow?.status === "pending") {
    throw notSettled("A void of this payment is not settled yet");
  }
  const voided = payment.status === "voided" || voidRow !== undefined;
  if (voided || payment.status === "failed") {
    return new AppError("payment.not_refundable", 409, voided ? "The payment is voided" : "The payment was declined");
  }
  const left = payment.amount_minor - payment.refunded_minor;
  if (amountMinor <= left) return undefined;
  return new AppError("refund.exceeds_remaining", 422, "The refund is more than what is left of the payment", {
    extensions: { remaining: formatAmount(left, payment.currency), currency: payment.currency },
  });
}

function made(
  ctx: EngineContext,
  operationId: string,
  refund: RefundRow & { readonly account_id: string },
): Settlement {
  const view = refundView(refund);
  const message = outboxMessage(ctx, {
    type: "refund.succeeded",
    operationId,
    // Events of a payment and of its refunds keep their order.
    aggregate: { type: "payment", id: refund.payment_id },
    data: { ...view, accountId: refund.account_id },
  });
  return madeResource(201, { type: "refund", id: refund.id }, `/api/v1/refunds/${refund.id}`, view, message);
}

async function readCall(ctx: EngineContext, operationId: string): Promise<ProviderCall> {
  const refund = await findRefund(ctx.db.pool, ctx.tenantId, { operationId });
  const payment = refund && (await findPayment(ctx.db.pool, ctx.tenantId, { id: refund.payment_id }));
  if (refund === undefined || payment === undefined) throw new Error(`operation ${operationId} has no refund`);
  return { since: refund.created_at, request: requestOf(ctx, refund, payment) };
}

function requestOf(ctx: EngineContext, refund: RefundRow, payment: PaymentRow): ProviderRequest {
  return {
    providerKey: refund.provider_key,
    amountMinor: refund.amount_minor,
    currency: refund.currency,
    accountId: payment.account_id,
    ...(payment.provider_reference !== null && { chargeReference: payment.provider_reference }),
    metadata: { tenant: ctx.tenantId, operationId: refund.operation_id, refundId: refund.id },
  };
}
