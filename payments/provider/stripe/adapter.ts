import { Stripe } from "stripe";
import type { ProviderNoEffect, ProviderResult } from "@/engine/index";
import { providerFacts } from "../capabilities";
import { classifyObject, type ReadBody } from "../classify";
import { createAgents } from "../exchange";
import type { PaymentProvider, ProviderOptions, ProviderRequest } from "../port";
import { classifyStripeError, stripeErrorText } from "./errors";
import { ExchangeHttpClient } from "./http-client";
import { chargeFilter, lookUpAtStripe, TooLateError, type NextCall } from "./look-up";
import { toStripeAmount } from "./money";
import { KEY_FIELD, readIntent, readStripeRefund } from "./objects";

/** How an account pays. */
export interface StripePayer {
  /** `pm_…` */
  readonly paymentMethod: string;
  /** `cus_…`, when the payment method belongs to one. */
  readonly customer?: string;
}

export interface StripeAdapterOptions {
  readonly secretKey: string;
  /** Real money may move (STRIPE_LIVE): needed by a live key, and not taken with another one. */
  readonly live?: boolean | undefined;
  /** Origin of the API; Stripe's own when left out. */
  readonly apiBase?: string | undefined;
  /**
   * Must give the same payer for an account every time: a repeated request with other parameters is a contradiction. Left
   * out, every account pays with Stripe's test card, which only a test key may.
   */
  readonly payer?: ((accountId: string) => StripePayer) | undefined;
}

const TEST_PAYER: StripePayer = { paymentMethod: "pm_card_visa" };
const LIVE_KEY = /^(sk|rk)_live_/;
const TEST_KEY = /^(sk|rk)_test_/;

/**
 * Stripe through its official SDK (docs/PROVIDERS.md): a charge is a PaymentIntent that is confirmed as it is made, a refund
 * a Refund, a void a full Refund under the void's own key (docs/decisions/0007). Our provider key is the idempotency key and
 * stands in the metadata.
 *
 * @throws Error in one sentence for a live key without `live` or without `payer`, for one that is neither, and for `live` with a test key
 */
export function createStripeProvider(options: StripeAdapterOptions): PaymentProvider {
  requireSaid(options);
  const payer = options.payer ?? (() => TEST_PAYER);
  const agents = createAgents();
  const http = new ExchangeHttpClient(agents);
  const stripe = new Stripe(options.secretKey, {
    ...addressOf(options.apiBase),
    httpClient: http,
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const send = async (
    read: ReadBody,
    request: ProviderRequest,
    opts: ProviderOptions,
    call: (how: Stripe.RequestOptions) => Promise<unknown>,
  ): Promise<ProviderResult> => {
    const how = { idempotencyKey: request.providerKey, timeout: opts.timeoutMs };
    try {
      return classifyObject(read(await http.abortable(opts.signal, () => call(how))), request);
    } catch (error) {
      return classifyStripeError(error);
    }
  };
  const refund = async (request: ProviderRequest, opts: ProviderOptions): Promise<ProviderResult> => {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    const charge = chargeFilter(request.chargeReference);
    if (amount === undefined) return notSent(`Stripe has no such amount of ${request.currency}`);
    if (charge === undefined) return notSent("the charge has no reference of Stripe's");
    const params = { ...charge, amount, metadata: metadataOf(request) };
    return send(readStripeRefund, request, opts, (how) => stripe.refunds.create(params, how));
  };
  return {
    ...providerFacts("stripe"),
    movesRealMoney: options.live === true,
    charge: async (request, opts) => {
      const amount = toStripeAmount(request.amountMinor, request.currency);
      if (amount === undefined) return notSent(`Stripe has no such amount of ${request.currency}`);
      const { paymentMethod, customer } = payer(request.accountId);
      const params = {
        amount,
        currency: request.currency.toLowerCase(),
        payment_method: paymentMethod,
        payment_method_types: ["card"],
        confirm: true,
        // Nobody is there to be asked: what needs an action is declined, and is not left open.
        error_on_requires_action: true,
        metadata: metadataOf(request),
        ...(customer !== undefined && { customer }),
      };
      return send(readIntent, request, opts, (how) => stripe.paymentIntents.create(params, how));
    },
    refund,
    void: refund,
    lookUp: async (question, opts) => {
      try {
        return await http.abortable(opts.signal, () => lookUpAtStripe(stripe, question, within(opts.timeoutMs)));
      } catch (error) {
        return { kind: "unreachable", reason: whyNot(error) };
      }
    },
    close: () => agents.destroy(),
  };
}

function requireSaid({ secretKey, live = false, apiBase, payer }: StripeAdapterOptions): void {
  const liveKey = LIVE_KEY.test(secretKey);
  if (liveKey && !live)
    throw new Error("A live key of Stripe moves real money: it is taken with STRIPE_LIVE=true only.");
  if (!live && apiBase === undefined && !TEST_KEY.test(secretKey))
    throw new Error(
      "Stripe itself is asked with a test key (sk_test_…, rk_test_…), or a live one and STRIPE_LIVE=true.",
    );
  if (live && !liveKey) throw new Error("STRIPE_LIVE=true needs a live key of Stripe.");
  if (live && payer === undefined)
    throw new Error("STRIPE_LIVE=true needs to be told how accounts pay: give providerOf a payer (docs/PROVIDERS.md).");
}

function addressOf(apiBase: string | undefined): { host?: string; port?: string; protocol?: "http" | "https" } {
  if (apiBase === undefined) return {};
  const { hostname, port, protocol } = new URL(apiBase);
  const secure = protocol === "https:";
  return { host: hostname, port: port === "" ? (secure ? "443" : "80") : port, protocol: secure ? "https" : "http" };
}

/** Metadata is part of what Stripe compares under a key, so it is the same on every attempt. */
function metadataOf(request: ProviderRequest): Record<string, string> {
  const { metadata, accountId, reference, providerKey } = request;
  return { ...metadata, accountId, ...(reference !== undefined && { reference }), [KEY_FIELD]: providerKey };
}

function notSent(reason: string): ProviderNoEffect {
  return { kind: "no_effect", code: "refused", reason: `not sent: ${reason}` };
}

/** All calls of one look-up share its time. */
function within(timeoutMs: number): NextCall {
  const end = performance.now() + timeoutMs;
  return () => {
    const left = Math.floor(end - performance.now());
    if (left < 1) throw new TooLateError("no time left for the rest of the look-up");
    return { timeout: left };
  };
}

function whyNot(error: unknown): string {
  if (error instanceof TooLateError) return error.message;
  if (error instanceof Stripe.errors.StripeConnectionError) {
    const result = classifyStripeError(error);
    return "reason" in result ? result.reason : "the connection broke";
  }
  return error instanceof Stripe.errors.StripeError ? stripeErrorText(error) : "the answer is not readable";
}
