import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAmount, MAX_AMOUNT_MINOR, minorDigits, parseAmount } from "@/domain/money";
import { fromStripeAmount, toStripeAmount } from "./money";

/** docs.stripe.com/currencies, "Zero-decimal currencies", without UGX. */
const ZERO_DECIMAL = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ");
const THREE_DECIMAL = "BHD JOD KWD OMR TND".split(" ");
const amountOf = (text: string, currency: string): number | undefined => {
  const minor = parseAmount(text, currency);
  return minor === undefined ? undefined : toStripeAmount(minor, currency);
};

describe("money at Stripe", () => {
  it.each(ZERO_DECIMAL)("%s is sent without a factor: 500 is 500", (currency) => {
    expect(amountOf("500", currency)).toBe(500);
  });

  it("keeps two digits for all others, also where ISO has none", () => {
    expect(amountOf("10.00", "EUR")).toBe(1000);
    expect(amountOf("0.50", "USD")).toBe(50);
    expect(amountOf("5.00", "ISK")).toBe(500);
    expect(amountOf("5.50", "ISK")).toBeUndefined();
  });

  it("refuses fractions of a currency that has two digits with us and none there", () => {
    expect(minorDigits("MGA")).toBe(2);
    expect(amountOf("5.00", "MGA")).toBe(5);
    expect(amountOf("5.20", "MGA")).toBeUndefined();
    expect(fromStripeAmount(5, "MGA")).toBe(500n);
  });

  it.each(THREE_DECIMAL)("%s has three digits, of which the last is 0", (currency) => {
    expect(amountOf("5.120", currency)).toBe(5120);
    expect(amountOf("5.124", currency)).toBeUndefined();
  });

  it.each(["UGX", "IQD", "LYD"])("%s is never sent: its unit there is not certain", (currency) => {
    expect(amountOf("5", currency)).toBeUndefined();
    expect(fromStripeAmount(5, currency)).toBeUndefined();
  });

  it("comes back as it went, or does not go", () => {
    const currency = fc.constantFrom("EUR", "USD", "ISK", ...ZERO_DECIMAL, ...THREE_DECIMAL);
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR }), currency, (minor, code) => {
        const sent = toStripeAmount(minor, code);
        if (sent === undefined) return;
        expect(Number.isSafeInteger(sent)).toBe(true);
        expect(fromStripeAmount(sent, code)).toBe(minor);
        expect(formatAmount(minor, code)).toBe(formatAmount(fromStripeAmount(sent, code) ?? 0n, code));
      }),
    );
    expect(fromStripeAmount(0.5, "EUR")).toBeUndefined();
  });
});
