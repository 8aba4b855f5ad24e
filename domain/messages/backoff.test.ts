import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff";

const backoff = { baseMs: 1_000, capMs: 300_000 };

describe("backoff", () => {
  it("doubles its ceiling from the base to the cap", () => {
    const ceilings = [1, 2, 3, 9, 10, 12, 1_000].map((attempt) => backoffMs(attempt, backoff, 1));
    expect(ceilings).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000, 300_000]);
  });

  it("never waits less than half the base, so that a failure is no tight loop", () => {
    for (const attempt of [0, 1, 5, 50]) expect(backoffMs(attempt, backoff, 0)).toBe(500);
  });

  it("spreads over the whole range", () => {
    expect(backoffMs(4, backoff, 0.5)).toBe(4_250);
  });
});
