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
import type { Claim, Preparation, ProviderOperation, ProviderOutcome, Settlement } from "@/engine/execute/operation";
import { API_VERSION, SCHEMA_VERSION, type CreatePaymentCommand } from "./commands";
import { derivedId } from "./derived-id";
import type { PaymentProvider } from "./provider/port";
import { providerKeyOf } from "./provider-key";
import { outboxMessage } from "./publish";
import { represent } from "./represent";
import { declined } from "./said";
import { bindingRefusal, madeResource } from "./settlements";
import { throughProvider, type ProviderErrand } from "./through-provider";
import { paymentView } from "./views";

/** Takes money through the provider, under the stable key `provider_payment_<id>`. */
export function createPayment(provider: PaymentProvider): ProviderOperation<CreatePaymentCommand> {
  return {
    name: "payments.create",
    apiVersion: API_VERSION,
    schemaVersion: SCHEMA_VERSION,
    policy: {},
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
    represent,
    prepare,
    ...throughProvider(provider, "charge", errandOf),
    settle,
    release: (ctx, tx, operationId) => deletePendingPayment(tx, ctx.tenantId, operationId),
  };
}

async function prepare(
  ctx: EngineContext,
  tx: Queryable,
  claim: Claim,
  command: CreatePaymentCommand,
): Promise<Preparation> {
  const id = derivedId(claim.operationId, "payment");
  const providerKey = await providerKeyOf(ctx, tx, claim, "payment", id);
  const { accountId, amountMinor, currency, channel } = command;
  const merchantReference = command.merchantReference ?? null;
  const inserted = await insertPayment(tx, {
    tenantId: ctx.tenantId,
    id,
    operationId: claim.operationId,
    accountId,
    amountMinor,
    currency,
    merchantReference,
    channel,
    providerKey,
  });
  const ready: Preparation = { kind: "ready", prepared: { providerKey, kind: "charge", amountMinor, currency } };
  if (inserted || (await findPayment(tx, ctx.tenantId, { operationId: claim.operationId })) !== undefined) return ready;
  const first = await findPayment(tx, ctx.tenantId, { accountId, merchantReference: merchantReference ?? "" });
  const error = duplicateReference(first);
  // While the first one is not final the refusal does not bind: it may still fail and free the reference.
  if (first === undefined || first.status === "pending") throw error;
  return { kind: "refused", settlement: bindingRefusal(claim.operationId, error) };
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

async function settle(ctx: EngineContext, tx: Queryable, claim: Claim, outcome: ProviderOutcome): Promise<Settlement> {
  const { operationId } = claim;
  if (outcome.kind === "declined") {
    await settlePayment(tx, ctx.tenantId, operationId, "failed", outcome.reference);
    return bindingRefusal(operationId, declined(outcome.code));
  }
  const payment = await settlePayment(tx, ctx.tenantId, operationId, "succeeded", outcome.reference);
  const view = paymentView(payment);
  const message = outboxMessage(ctx, {
    type: "payment.succeeded",
    operationId,
    aggregate: { type: "payment", id: payment.id },
    data: view,
  });
  return madeResource(201, { type: "payment", id: payment.id }, `/api/v1/payments/${payment.id}`, view, message);
}

async function errandOf(ctx: EngineContext, operationId: string): Promise<ProviderErrand> {
  const payment = await findPayment(ctx.db.pool, ctx.tenantId, { operationId });
  if (payment === undefined) throw new Error(`operation ${operationId} has no payment`);
  return {
    since: payment.created_at,
    request: {
      providerKey: payment.provider_key,
      amountMinor: payment.amount_minor,
      currency: payment.currency,
      accountId: payment.account_id,
      ...(payment.merchant_reference !== null && { reference: payment.merchant_reference }),
      metadata: { tenant: ctx.tenantId, operationId, paymentId: payment.id },
    },
  };
}
