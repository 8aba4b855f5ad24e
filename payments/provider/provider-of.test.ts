import { describe, expect, it } from "vitest";
import { providerOf } from "./provider-of";

const config = { sandboxPort: 3900, stripeSecretKey: undefined, stripeLive: false, stripeApiBase: undefined } as const;

it.each([
  ["sandbox", {}, "sandbox"],
  ["stripe", { stripeSecretKey: "sk_test_0123456789" }, "stripe"],
] as const)("PROVIDER=%s", (provider, more, name) => {
  const made = providerOf({ ...config, ...more, provider });
  expect(made.name).toBe(name);
  made.close();
});

describe("real money", () => {
  const live = { ...config, provider: "stripe", stripeSecretKey: "sk_live_canary0123456789" } as const;
  const payer = () => ({ paymentMethod: "pm_1", customer: "cus_1" });

  it.each([
    ["no key", { ...live, stripeSecretKey: undefined }, "STRIPE_SECRET_KEY"],
    ["a live key that nobody said may move money", live, "STRIPE_LIVE=true"],
    ["a key of an organization", { ...live, stripeSecretKey: "sk_org_live_canary" }, "a test key"],
    ["a live key behind a blank", { ...live, stripeSecretKey: " sk_live_canary" }, "a test key"],
    ["a test key where live was said", { ...live, stripeLive: true, stripeSecretKey: "sk_test_canary" }, "a live key"],
  ])("is refused with %s, in a sentence without the key", (_what, given, names) => {
    expect(() => providerOf(given, { payer })).toThrow(names);
    expect(() => providerOf(given, { payer })).not.toThrow("canary");
  });

  it("is refused while nobody says how accounts pay", () => {
    expect(() => providerOf({ ...live, stripeLive: true })).toThrow("how accounts pay");
  });

  it("moves with a live key, the word and a payer, and is said of nothing else", () => {
    const moves = (given: Parameters<typeof providerOf>[0]) => {
      const made = providerOf(given, { payer });
      made.close();
      return made.movesRealMoney;
    };
    expect(moves({ ...live, stripeLive: true })).toBe(true);
    expect(moves({ ...live, stripeSecretKey: "sk_test_0123456789" })).toBe(false);
    expect(moves({ ...config, provider: "sandbox" })).toBe(false);
  });
});
