import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countStep, countVitest } from "./steps.mjs";

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

test("a report of the test runner says which tests failed, and which file could not be loaded", () => {
  const folder = mkdtempSync(join(tmpdir(), "steps-"));
  const path = join(folder, "report.json");
  const failed = {
    status: "failed",
    fullName: "adds up",
    failureMessages: ["AssertionError: 1 is not 2\n    at a line"],
  };
  const testResults = [
    { name: join(process.cwd(), "a.test.ts"), status: "failed", assertionResults: [failed, { status: "passed" }] },
    { name: join(process.cwd(), "b.test.ts"), status: "failed", assertionResults: [] },
  ];
  writeFileSync(path, JSON.stringify({ numPassedTests: 1, numFailedTests: 1, testResults }));
  expect(countVitest(path)).toEqual({
    passed: 1,
    failed: 2,
    names: ["a.test.ts: adds up: AssertionError: 1 is not 2", "b.test.ts"],
  });
  rmSync(folder, { recursive: true });
});
