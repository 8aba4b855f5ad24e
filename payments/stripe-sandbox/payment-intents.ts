import { objectOf, textOf, type Form } from "./form";
import type { Reply } from "../pretend-server";
import { failure, invalid, missing } from "./reply";
import { newStripeId, type Intent, type State } from "./state";

const AMOUNT = /^[1-9]\d{0,11}$/;
const CURRENCY = /^[a-z]{3}$/;
const THREE_DECIMALS: ReadonlySet<string> = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);
const WHOLE_ONLY: ReadonlySet<string> = new Set(["isk"]);
/** Amounts that end so are declined, with the bank's reason. */
const DECLINES: Readonly<Record<number, string>> = { 51: "insufficient_funds", 52: "lost_card" };
const PAYMENT_METHODS: ReadonlySet<string> = new Set(["pm_card_visa", "pm_card_mastercard"]);

/** A create with `confirm=true` that is in order. */
export interface NewIntent {
  readonly amount: number;
  readonly currency: string;
  readonly paymentMethod: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** @returns what to make, or the refusal; nothing is executed before this. */
export function readNewIntent(form: Form): NewIntent | Reply {
  const amount = textOf(form, "amount");
  const currency = textOf(form, "currency");
  const paymentMethod = textOf(form, "payment_method");
  if (amount === undefined || !AMOUNT.test(amount)) return invalid("Invalid positive integer", "amount");
  if (currency === undefined || !CURRENCY.test(currency)) return invalid("Invalid currency", "currency");
  if (THREE_DECIMALS.has(currency) && !amount.endsWith("0")) return invalid("Amount must end in 0", "amount");
  if (WHOLE_ONLY.has(currency) && !amount.endsWith("00")) return invalid("Amount must end in 00", "amount");
  if (paymentMethod === undefined || !PAYMENT_METHODS.has(paymentMethod))
    return missing("PaymentMethod", paymentMethod ?? "");
  if (textOf(form, "confirm") !== "true") return invalid("This sandbox only makes confirmed payments.", "confirm");
  return { amount: Number(amount), currency, paymentMethod, metadata: objectOf(form, "metadata") };
}

/** Takes the money, or does not; either way there is a PaymentIntent afterwards. */
export function makeIntent(state: State, wanted: NewIntent, processing: boolean): Intent {
  const nowMs = state.nowMs();
  const declineCode = DECLINES[wanted.amount % 100];
  const intent: Intent = {
    ...wanted,
    id: newStripeId("pi_"),
    status: processing ? "processing" : declineCode === undefined ? "succeeded" : "requires_payment_method",
    created: Math.floor(nowMs / 1_000),
    declineCode: processing ? undefined : declineCode,
    changedMs: nowMs,
  };
  state.intents.set(intent.id, intent);
  return intent;
}

/** @returns 402 for a declined one, as Stripe answers a create that could not be confirmed. */
export function answerNewIntent(intent: Intent): Reply {
  if (intent.declineCode === undefined) return { status: 200, body: publicIntent(intent) };
  return failure(402, "card_error", "Your card was declined.", {
    code: "card_declined",
    decline_code: intent.declineCode,
    payment_intent: publicIntent(intent),
  });
}

export function publicIntent(intent: Intent): object {
  const { id, amount, currency, status, created, metadata, paymentMethod, declineCode } = intent;
  return {
    id,
    object: "payment_intent",
    amount,
    amount_received: status === "succeeded" ? amount : 0,
    currency,
    status,
    created,
    metadata,
    livemode: false,
    payment_method: declineCode === undefined ? paymentMethod : null,
    last_payment_error:
      declineCode === undefined
        ? null
        : { type: "card_error", code: "card_declined", decline_code: declineCode, message: "Your card was declined." },
  };
}
