import { Stripe } from "stripe";
import type { ProviderNoEffect, ProviderResult } from "@/engine/index";
import { KEY_REUSED } from "../classify";
import { BrokenExchangeError } from "./http-client";
import { declineCode } from "./objects";

const { errors } = Stripe;

/**
 * What an error of the SDK says about the effect. Definite only: a decline, and refusals that Stripe makes before
 * or instead of acting. Reasons name status and code; Stripe's own sentences may quote what was sent and stay here.
 */
export function classifyStripeError(error: unknown): ProviderResult {
  if (!(error instanceof errors.StripeError)) {
    return { kind: "indefinite", reason: `the call failed: ${error instanceof Error ? error.name : "unknown"}` };
  }
  if (error instanceof errors.StripeConnectionError) return classifyBroken(error);
  // "In use" is another request of ours that Stripe still works on; otherwise the key stands for another command.
  if (error.rawType === "idempotency_error" && error.code !== "idempotency_key_in_use")
    return { kind: "contradicting", reference: undefined, reason: KEY_REUSED };
  if (error.statusCode === 409 || error.code === "idempotency_key_in_use")
    return { kind: "indefinite", reason: "the provider is still working on this key" };
  if (error instanceof errors.StripeCardError && error.rawType === "card_error") return declined(error);
  if (error instanceof errors.StripeRateLimitError) return rateLimited(error);
  const refused =
    error instanceof errors.StripeInvalidRequestError ||
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError;
  if (refused && error.rawType !== "api_error")
    return { kind: "no_effect", code: "refused", reason: stripeErrorText(error) };
  return { kind: "indefinite", reason: stripeErrorText(error) };
}

function classifyBroken(error: InstanceType<typeof errors.StripeConnectionError>): ProviderResult {
  // The SDK types it as text; it is whatever our HTTP client threw.
  const detail: unknown = error.detail;
  if (!(detail instanceof BrokenExchangeError)) return { kind: "indefinite", reason: "the connection broke" };
  const { sent, cause, detail: words } = detail.outcome;
  return sent
    ? { kind: "indefinite", reason: `${cause} after the request was sent: ${words}` }
    : { kind: "no_effect", code: "unavailable", reason: `not connected: ${words}` };
}

/** Without the PaymentIntent there is nothing to refer to: the look-up finds it by our key. */
function declined(error: InstanceType<typeof errors.StripeCardError>): ProviderResult {
  const reference = error.payment_intent?.id ?? error.charge;
  return reference === undefined
    ? { kind: "indefinite", reason: stripeErrorText(error) }
    : { kind: "declined", reference, code: declineCode(error) };
}

function rateLimited(error: InstanceType<typeof errors.StripeRateLimitError>): ProviderNoEffect {
  const retryAfter = Number(error.headers?.["retry-after"]);
  return {
    kind: "no_effect",
    code: "rate_limited",
    reason: stripeErrorText(error),
    ...(Number.isFinite(retryAfter) && retryAfter >= 0 ? { retryAfter } : {}),
  };
}

/** Stripe keeps a 5xx under its key too: a replayed one says how the first call ended, not that nothing happened. */
export function stripeErrorText(error: InstanceType<typeof errors.StripeError>): string {
  const status = error.statusCode === undefined ? "something unreadable" : String(error.statusCode);
  const replayed = error.headers?.["idempotent-replayed"] === "true" ? ", replayed from its first try" : "";
  return `the provider answered ${status}${error.code === undefined ? "" : ` (${error.code})`}${replayed}`;
}
