import type { Settings } from "@/engine/index";
import type { PaymentProvider } from "./port";
import { createSandboxProvider } from "./sandbox-adapter";
import { createStripeProvider, type StripeAdapterOptions } from "./stripe/adapter";

/**
 * The provider that a process works with; nothing connects before the first use.
 *
 * @param options.payer how accounts pay, needed where real money moves
 * @throws Error in one sentence, without any value, when the configuration does not do for this provider
 */
export function providerOf(
  config: Pick<Settings, "provider" | "sandboxPort" | "stripeSecretKey" | "stripeLive" | "stripeApiBase">,
  options: Pick<StripeAdapterOptions, "payer"> = {},
): PaymentProvider {
  switch (config.provider) {
    case "sandbox":
      return createSandboxProvider({ url: `http://127.0.0.1:${String(config.sandboxPort)}` });
    case "stripe": {
      const { stripeSecretKey: secretKey, stripeLive: live, stripeApiBase: apiBase } = config;
      if (secretKey === undefined) throw new Error("PROVIDER=stripe needs STRIPE_SECRET_KEY.");
      return createStripeProvider({ secretKey, live, apiBase, payer: options.payer });
    }
  }
}
