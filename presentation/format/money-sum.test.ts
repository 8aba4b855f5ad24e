import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moneySums, selectedWords } from "./money-sum";

const eur = (minor: string) => ({ minor, currency: "EUR" });

describe("the sum of a selection", () => {
  it("is exact where a float would not be, and never crosses currencies", () => {
    expect(moneySums([eur("99999999999999"), eur("99999999999999"), eur("1")])).toEqual(["€1,999,999,999,999.99"]);
    expect(
      moneySums([eur("10"), { minor: "20", currency: "JPY" }, eur("20"), { minor: "1500", currency: "KWD" }]),
    ).toEqual(["€0.30", "¥20", "1.500 KWD"]);
    expect(moneySums([undefined])).toEqual([]);
  });

  it.each([
    [[eur("1000000"), eur("20000"), eur("6000"), eur("407")], "4 selected, €10,264.07"],
    [[eur("1"), undefined], "2 selected, €0.01 in 1"],
    [[eur("1"), { minor: "1", currency: "USD" }], "2 selected, €0.01 and $0.01"],
    [[undefined, undefined, undefined], "3 selected"],
  ])("%j: %s", (amounts, words) => {
    expect(selectedWords(amounts)).toBe(words);
  });

  it("is the sum of its minor units, whatever their order", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1 }), (minors) => {
        const [shown = ""] = moneySums(minors.map((minor) => eur(minor.toString())));
        expect(BigInt(shown.replaceAll(/\D/g, ""))).toBe(minors.reduce((sum, minor) => sum + minor, 0n));
      }),
    );
  });
});
