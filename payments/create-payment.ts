import {
  deletePendingPayment,
  findPayment,
  insertPayment,
  type PaymentRow,
  settlePayment,
} from "@/db/payments/payments";
import { AppError } from "@/domain/errors";
import { formatAmount } from "@/domain/money";
import type { Queryable } from "@/db/client";
import type { EngineContext } from "@/engine/context";
import type { Claim, Preparation, ProviderOperation, Settlement } from "@/engine/execute/operation";
import type { CreatePaymentCommand } from "./commands";
import { derivedId } from "./derived-id";
import type { PaymentProvider, ProviderRequest } from "./provider/port";
import { providerKeyOf } from "./provider/provider-key";
import { outboxMessage } from "./publish";
import { bindingRefusal, madeResource } from "./settlements";
import { throughProvider, type ProviderCall } from "./provider/through-provider";
import { paymentView } from "./views";

/** Takes money through the provider, under the stable key `provider_payment_<id>`. */
export function createPayment(provider: PaymentProvider): ProviderOperation<CreatePaymentCommand, ProviderRequest> {
  return throughProvider(provider, "charge", {
    name: "payments.create",
    fields: (command) => ({
      accountId: command.accountId,
      amount: formatAmount(command.amountMinor, command.currency),
      currency: command.currency,
      merchantReference: command.merchantReference ?? null,
      channel: command.channel,
    }),
    describe: (command) => ({
      accountId: command.accountId,
      reference: command.merchantReference,
      amountMinor: command.amountMinor,
      currency: command.currency,
    }),
    prepare,
    readCall,
    settleRow: settlePayment,
    made,
    deletePending: deletePendingPayment,
  });
}

async function prepare(
  ctx: EngineContext,
  tx: Queryable,
  claim: Claim,
  command: CreatePaymentCommand,
): Promise<Preparation<ProviderRequest>> {
  const { operationId } = claim;
  const id = derivedId(operationId, "payment");
  const providerKey = await providerKeyOf(ctx, tx, claim, "payment", id);
  const { accountId, amountMinor, currency, channel } = command;
  const merchantReference = command.merchantReference ?? null;
  const inserted = await insertPayment(tx, {
    tenantId: ctx.tenantId,
    id,
    operationId,
    accountId,
    amountMinor,
    currency,
    merchantReference,
    channel,
    providerKey,
  });
  const payment = inserted ?? (await findPayment(tx, ctx.tenantId, { operationId }));
  if (payment !== undefined) {
    const prepared = { providerKey, kind: "charge", amountMinor, currency };
    return { kind: "ready", prepared, call: requestOf(ctx, payment) };
  }
  const first = await findPayment(tx, ctx.tenantId, { accountId, merchantReference: merchantReference ?? "" });
  const error = duplicateReference(first);
  // While the first one is not final the refusal does not bind: it may still fail and free the reference.
  if (first === undefined || first.status === "pending") throw error;
  return { kind: "refused", settlement: bindingRefusal(operationId, error) };
}

/** A new random key for the same act gets a useful answer: which payment it was. */
function duplicateReference(first: PaymentRow | undefined): AppError {
  return new AppError("payment.duplicate_reference", 409, "This merchant reference has a payment already", {
    detail: "Another key made a payment for this account and merchant reference. Nothing was sent.",
    extensions:
      first === undefined
        ? {}
        : { paymentId: first.id, paymentStatus: first.status, paymentOperationId: first.operation_id },
  });
}

function made(ctx: EngineContext, operationId: string, payment: PaymentRow): Settlement {
  const view = paymentView(payment);
  const message = outboxMessage(ctx, {
    type: "payment.succeeded",
    operationId,
    aggregate: { type: "payment", id: payment.id },
    data: view,
  });
  return madeResource(201, { type: "payment", id: payment.id }, `/api/v1/payments/${payment.id}`, view, message);
}

async function readCall(ctx: EngineContext, operationId: string): Promise<ProviderCall> {
  const payment = await findPayment(ctx.db.pool, ctx.tenantId, { operationId });
  if (payment === undefined) throw new Error(`operation ${operationId} has no payment`);
  return { since: payment.created_at, request: requestOf(ctx, payment) };
}

function requestOf(ctx: EngineContext, payment: PaymentRow): ProviderRequest {
  return {
    providerKey: payment.provider_key,
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    accountId: payment.account_id,
    ...(payment.merchant_reference !== null && { reference: payment.merchant_reference }),
    metadata: { tenant: ctx.tenantId, operationId: payment.operation_id, paymentId: payment.id },
  };
}
