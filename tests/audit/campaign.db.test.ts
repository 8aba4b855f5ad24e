import { expect, it } from "vitest";
import { runTamperings } from "./campaign";

/** A share of `npm run test:audit`; another seed each time, so that the runs add up. */
const RUNS = 60;

it("AUDIT-3 a share of the campaign: nothing goes unnoticed, and nothing is reported that nobody did", async () => {
  const seed = Date.now() % 1_000_000_000;
  const { tampered, controls, unnoticed, falseAlarms } = await runTamperings({ runs: RUNS, seed });
  expect({ seed, unnoticed, falseAlarms }).toEqual({ seed, unnoticed: [], falseAlarms: [] });
  expect([tampered, controls]).toEqual([54, 6]);
});
