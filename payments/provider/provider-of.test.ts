import { expect, it } from "vitest";
import { providerOf } from "./provider-of";

const config = { sandboxPort: 3900, stripeSecretKey: undefined, stripeApiBase: undefined } as const;

it.each([
  ["sandbox", {}, "sandbox"],
  ["stripe", { stripeSecretKey: "sk_test_0123456789" }, "stripe"],
] as const)("PROVIDER=%s", (provider, more, name) => {
  const made = providerOf({ ...config, ...more, provider });
  expect(made.name).toBe(name);
  made.close();
});

it("PROVIDER=stripe without a key, or with a live one, is refused in a sentence without it", () => {
  expect(() => providerOf({ ...config, provider: "stripe" })).toThrow("STRIPE_SECRET_KEY");
  const live = { ...config, provider: "stripe", stripeSecretKey: "sk_live_canary0123456789" } as const;
  expect(() => providerOf(live)).toThrow(/^((?!canary).)*test keys only((?!canary).)*$/);
});
