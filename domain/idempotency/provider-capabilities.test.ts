import fc from "fast-check";
import { expect, it } from "vitest";
import { GIVE_UP_ASKING_HOURS, providerGap, type ProviderFacts } from "./provider-capabilities";

const providers: fc.Arbitrary<ProviderFacts> = fc.record({
  name: fc.constant("some"),
  dedupesForHours: fc.oneof(fc.constantFrom(0, Infinity), fc.integer({ min: 1, max: 720 })),
  queryable: fc.boolean(),
});

it("TRUTH-1 says of a provider that cannot be asked for how long recovery sends the same again, and nothing of one that can", () => {
  fc.assert(
    fc.property(providers, (facts) => {
      const words = providerGap(facts);
      expect(words === undefined).toBe(facts.queryable);
      if (words === undefined) return;
      const hours = /cannot be asked\. For (\d+) h after the claim recovery sends the same command/.exec(words)?.[1];
      expect(Number(hours ?? "0")).toBe(Math.min(facts.dedupesForHours, GIVE_UP_ASKING_HOURS));
      expect(/^This provider can neither be asked nor sent the same key again/.test(words)).toBe(hours === undefined);
    }),
  );
  expect(providerGap(undefined)).toBeUndefined();
});
