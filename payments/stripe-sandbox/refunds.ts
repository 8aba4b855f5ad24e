import { objectOf, textOf, type Form } from "./form";
import type { Reply } from "../pretend-server";
import { failure, invalid, missing } from "./reply";
import { newStripeId, type Intent, type StripeRefund, type State } from "./state";

const AMOUNT = /^[1-9]\d{0,11}$/;

export interface StripeNewRefund {
  readonly intent: Intent;
  readonly amount: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/** @returns what to give back, or the refusal; never more than what is left of the payment. */
export function readNewRefund(state: State, form: Form): StripeNewRefund | Reply {
  const id = textOf(form, "payment_intent");
  if (id === undefined) return invalid("payment_intent is required", "payment_intent");
  const intent = state.intents.get(id);
  if (intent === undefined) return missing("payment_intent", id);
  if (intent.status !== "succeeded")
    return invalid("This PaymentIntent does not have a successful charge to refund.", "payment_intent");
  const left = intent.amount - refundedOf(state, id);
  const amount = textOf(form, "amount") ?? String(left);
  if (left === 0) {
    return failure(400, "invalid_request_error", `The payment ${id} has already been refunded.`, {
      code: "charge_already_refunded",
    });
  }
  if (!AMOUNT.test(amount)) return invalid("Invalid positive integer", "amount");
  if (Number(amount) > left) return invalid("Refund amount is greater than unrefunded amount on charge", "amount");
  return { intent, amount: Number(amount), metadata: objectOf(form, "metadata") };
}

export function makeRefund(
  state: State,
  { intent, amount, metadata }: StripeNewRefund,
  processing: boolean,
): StripeRefund {
  const refund: StripeRefund = {
    id: newStripeId("re_"),
    intentId: intent.id,
    amount,
    currency: intent.currency,
    status: processing ? "pending" : "succeeded",
    created: Math.floor(state.nowMs() / 1_000),
    metadata,
  };
  state.refunds.set(refund.id, refund);
  return refund;
}

export function publicRefund({ id, intentId, amount, currency, status, created, metadata }: StripeRefund): object {
  return { id, object: "refund", amount, currency, status, created, metadata, payment_intent: intentId };
}

function refundedOf(state: State, intentId: string): number {
  return [...state.refunds.values()]
    .filter((refund) => refund.intentId === intentId && refund.status !== "failed")
    .reduce((sum, refund) => sum + refund.amount, 0);
}
