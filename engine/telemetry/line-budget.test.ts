import { expect, it } from "vitest";
import { createLineBudget } from "./line-budget";

it("LOG-4 a storm of retries is no storm of lines, and what is left out is counted", () => {
  let now = 0;
  const budget = createLineBudget(2, () => now);
  expect([budget.take(), budget.take(), budget.take(), budget.take()]).toEqual([
    { leftOut: 0 },
    { leftOut: 0 },
    undefined,
    undefined,
  ]);
  now = 999;
  expect(budget.take()).toBeUndefined();
  now = 1_000;
  expect([budget.take(), budget.take()]).toEqual([{ leftOut: 3 }, { leftOut: 0 }]);
});
