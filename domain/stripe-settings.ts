/** Keys of Stripe that move real money. */
const LIVE_STRIPE_KEY = /^(sk|rk)_live_/;
/** Of anything else Stripe itself decides what it moves: keys of an organization, for example. */
const TEST_STRIPE_KEY = /^(sk|rk)_test_/;

interface StripeSettings {
  readonly provider: string;
  readonly stripeSecretKey?: string | undefined;
  readonly stripeLive: boolean;
  readonly stripeApiBase?: string | undefined;
}

/** Real money moves only where three things say so: the provider, the key, and a word of its own. */
export function stripeContradictions({
  provider,
  stripeSecretKey = "",
  stripeLive,
  stripeApiBase,
}: StripeSettings): string[] {
  const liveKey = LIVE_STRIPE_KEY.test(stripeSecretKey);
  if (!stripeLive) {
    if (provider !== "stripe" || stripeSecretKey === "") return [];
    if (liveKey)
      return [
        "STRIPE_SECRET_KEY is a live key, which moves real money: say STRIPE_LIVE=true with it, or use a test key",
      ];
    return stripeApiBase === undefined && !TEST_STRIPE_KEY.test(stripeSecretKey)
      ? ["STRIPE_SECRET_KEY is no test key (sk_test_…, rk_test_…), so it might move real money"]
      : [];
  }
  const problems: string[] = [];
  if (provider !== "stripe") problems.push("STRIPE_LIVE=true needs PROVIDER=stripe");
  if (!liveKey) problems.push("STRIPE_LIVE=true needs a live key in STRIPE_SECRET_KEY");
  if (stripeApiBase !== undefined) problems.push("STRIPE_LIVE=true goes to Stripe alone: leave STRIPE_API_BASE out");
  return problems;
}
