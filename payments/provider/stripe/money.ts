import { minorDigits } from "@/engine/index";

/**
 * Digits of the amounts that Stripe takes and gives, where they are not 2 (docs.stripe.com/currencies). They are not always
 * those of ISO 4217: MGA has two there and none at Stripe.
 */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ["BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF"].map(
      (currency) => [currency, 0],
    ),
  ),
  ...Object.fromEntries(["BHD", "JOD", "KWD", "OMR", "TND"].map((currency) => [currency, 3])),
};
/** An amount must end so: three-decimal currencies in 0, and ISK, which has no fractions but keeps two digits, in 00. */
const STEP: Readonly<Record<string, bigint>> = { BHD: 10n, JOD: 10n, KWD: 10n, OMR: 10n, TND: 10n, ISK: 100n };
/** Two of three decimals that Stripe does not have, and UGX: its page calls it zero-decimal and two-decimal at once. */
const REFUSED: ReadonlySet<string> = new Set(["IQD", "LYD", "UGX"]);

/**
 * @param minor in our minor units @param currency ISO 4217, capitals
 * @returns the whole number for Stripe; undefined when Stripe has no exact one: nothing may be sent then
 */
export function toStripeAmount(minor: bigint, currency: string): number | undefined {
  const shift = shiftOf(currency);
  if (shift === undefined) return undefined;
  const divisor = 10n ** BigInt(Math.max(-shift, 0));
  if (minor % divisor !== 0n) return undefined;
  const amount = (minor / divisor) * 10n ** BigInt(Math.max(shift, 0));
  if (amount % (STEP[currency] ?? 1n) !== 0n || amount > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return Number(amount);
}

/** @returns our minor units; undefined for a number that is not exact, or a currency that is never sent. */
export function fromStripeAmount(amount: number, currency: string): bigint | undefined {
  const shift = shiftOf(currency);
  if (shift === undefined || !Number.isSafeInteger(amount)) return undefined;
  const divisor = 10n ** BigInt(Math.max(shift, 0));
  if (BigInt(amount) % divisor !== 0n) return undefined;
  return (BigInt(amount) / divisor) * 10n ** BigInt(Math.max(-shift, 0));
}

/** How many digits more than ours an amount has at Stripe. */
function shiftOf(currency: string): number | undefined {
  return REFUSED.has(currency) ? undefined : (DIGITS[currency] ?? 2) - minorDigits(currency);
}
