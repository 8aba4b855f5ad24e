import { z } from "zod";
import type { ReadObject } from "../classify";
import { fromStripeAmount } from "./money";

/** Where our provider key stands in the metadata of everything that is made at Stripe. */
export const KEY_FIELD = "onceboard_key";

const shared = {
  id: z.string().min(1),
  amount: z.int().nonnegative(),
  currency: z.string().length(3),
  created: z.int().positive(),
  metadata: z.record(z.string(), z.string()),
};
const paymentError = z.object({ code: z.string().nullish(), decline_code: z.string().nullish() });
const intentShape = z.object({
  ...shared,
  object: z.literal("payment_intent"),
  amount_received: z.int().nonnegative(),
  status: z.string(),
  last_payment_error: paymentError.nullish(),
});
const refundShape = z.object({
  ...shared,
  object: z.literal("refund"),
  status: z.string(),
  failure_reason: z.string().nullish(),
});

type State = Pick<ReadObject, "status" | "declineCode">;

/** @returns a PaymentIntent as it is now, or undefined for anything but a whole one. */
export function readIntent(body: unknown): ReadObject | undefined {
  const { data } = intentShape.safeParse(body);
  if (data === undefined) return undefined;
  // What was taken counts, not what was asked for.
  const amount = data.status === "succeeded" ? data.amount_received : data.amount;
  return readObject({ ...data, amount }, intentState(data));
}

/** @returns a Refund as it is now, or undefined for anything but a whole one. */
export function readStripeRefund(body: unknown): ReadObject | undefined {
  const { data } = refundShape.safeParse(body);
  return data === undefined ? undefined : readObject(data, refundState(data));
}

/** @returns our key on an object of any shape. */
export function keyOf(object: unknown): string | undefined {
  const parsed = z.object({ metadata: z.record(z.string(), z.unknown()) }).safeParse(object);
  const key = parsed.data?.metadata[KEY_FIELD];
  return typeof key === "string" ? key : undefined;
}

function intentState({ status, last_payment_error: error }: z.output<typeof intentShape>): State {
  switch (status) {
    case "succeeded":
      return { status: "succeeded" };
    case "canceled":
      return { status: "declined", declineCode: "canceled" };
    case "requires_payment_method":
      // Without an error it was never tried: not a final word. Nobody but us can try again, and we do not.
      return error ? { status: "declined", declineCode: declineCode(error) } : { status: "processing" };
    default:
      return { status: "processing" };
  }
}

function refundState({ status, failure_reason: reason }: z.output<typeof refundShape>): State {
  switch (status) {
    case "succeeded":
      return { status: "succeeded" };
    case "failed":
      return { status: "declined", declineCode: reason ?? "refund_failed" };
    case "canceled":
      return { status: "declined", declineCode: "canceled" };
    default:
      return { status: "processing" };
  }
}

/** The bank's own word where there is one, e.g. `insufficient_funds` behind `card_declined`. */
export function declineCode(error: {
  readonly code?: string | null | undefined;
  readonly decline_code?: string | null | undefined;
}): string {
  return error.decline_code || error.code || "declined";
}

function readObject(
  data: Pick<z.output<typeof refundShape>, "id" | "amount" | "currency" | "metadata">,
  state: State,
): ReadObject | undefined {
  const currency = data.currency.toUpperCase();
  const amountMinor = fromStripeAmount(data.amount, currency);
  const providerKey = data.metadata[KEY_FIELD];
  if (amountMinor === undefined || providerKey === undefined) return undefined;
  return {
    ...state,
    reference: data.id,
    amountMinor,
    currency,
    providerKey,
  };
}
