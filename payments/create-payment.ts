import { deletePendingPayment, findPayment, insertPayment, type PaymentRow, settlePayment } from "./db/payments";
import { AppError, formatAmount } from "@/engine/index";
import type { CreatePaymentCommand } from "./commands";
import type { PaymentProvider } from "./provider/port";
import { throughProvider } from "./provider/through-provider";
import { paymentView } from "./views";

/** Takes money through the provider, under the stable key `provider_payment_<id>`. */
export function createPayment(provider: PaymentProvider) {
  return throughProvider<CreatePaymentCommand, PaymentRow>(provider, {
    name: "payments.create",
    meshFunction: { name: "payments.charge", version: "1" },
    effect: "charge",
    kind: "payment",
    fields: ({ accountId, amountMinor, currency, merchantReference = null, channel }) => ({
      accountId,
      amount: formatAmount(amountMinor, currency),
      currency,
      merchantReference,
      channel,
    }),
    reference: ({ merchantReference }) => merchantReference,
    async prepare(ctx, tx, { operationId }, command, own) {
      const { tenantId } = ctx;
      const { accountId, amountMinor, currency, merchantReference = null, channel } = command;
      const row = { ...own, accountId, amountMinor, currency, merchantReference, channel };
      const payment = (await insertPayment(tx, row)) ?? (await findPayment(tx, tenantId, { operationId }));
      if (payment !== undefined) return { row: payment, payment };
      const first = await findPayment(tx, tenantId, { accountId, merchantReference: merchantReference ?? "" });
      const error = duplicateReference(first);
      // While the first one is not final the refusal does not bind: it may still fail and free the reference.
      if (first === undefined || first.status === "pending") throw error;
      return error;
    },
    findRow: findPayment,
    settleRow: settlePayment,
    made: (payment) => ({
      event: "payment.succeeded",
      resource: { type: "payment", id: payment.id },
      view: paymentView(payment),
    }),
    deletePending: deletePendingPayment,
  });
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
