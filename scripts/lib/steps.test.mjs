import { expect, test } from "vitest";
import { countStep } from "./steps.mjs";

test("a check counts as one", () => {
  expect(countStep({}, 0)).toEqual({ passed: 1, failed: 0 });
  expect(countStep({}, 2)).toEqual({ passed: 0, failed: 1 });
});

test("a runner counts its tests", () => {
  expect(countStep({ count: () => ({ passed: 7, failed: 2 }) }, 1)).toEqual({ passed: 7, failed: 2 });
});

test("a red runner without a failed test is a failure, as is one without a report", () => {
  expect(countStep({ count: () => ({ passed: 7, failed: 0 }) }, 1)).toEqual({ passed: 7, failed: 1 });
  const unreadable = () => {
    throw new Error("no report");
  };
  expect(countStep({ count: unreadable }, 1)).toEqual({ passed: 0, failed: 1 });
});
