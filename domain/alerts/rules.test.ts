import { expect, it } from "vitest";
import { allRules, amountsText, defaultRule, parseAmounts, shownAmounts } from "./rules";

it("ALERT-2 limits of money are minor units of their own currency, exact, and written back as they were read", () => {
  const amounts = parseAmounts(" JPY 50000, EUR 500.00 ,BHD 1.234");
  expect(amounts).toEqual({ JPY: 50_000n, EUR: 50_000n, BHD: 1_234n });
  expect(amountsText(amounts ?? {})).toBe("BHD 1.234, EUR 500.00, JPY 50000");
  expect(shownAmounts(amounts ?? {})).toBe("1.234 BHD, €500.00, ¥50,000");
  expect(parseAmounts("")).toEqual({});
});

it.each(["EUR", "500", "EUR -1", "EUR 0", "EUR 1.234", "eur 5.00", "EUR 5.00, EUR 6.00", "JPY 5.5", "EUR 5,00"])(
  "refuses %s as limits of money",
  (text) => {
    expect(parseAmounts(text)).toBeUndefined();
  },
);

it("watches what needs no guess by default: a loop is told where it is turned on, money where it has a limit", () => {
  expect(allRules([]).map(({ condition, enabled }) => [condition, enabled])).toEqual([
    ["money_in_doubt", true],
    ["dead_letters", true],
    ["failing_topic", true],
    ["stopped_loop", false],
    ["red_invariant", true],
  ]);
  expect(defaultRule("money_in_doubt").amounts).toEqual({});
  const decided = { ...defaultRule("dead_letters"), enabled: false };
  expect(allRules([decided]).filter(({ enabled }) => !enabled)).toHaveLength(2);
});
