import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff";
import { attemptDelayMs, SIDES, WEBHOOK_SCHEDULE } from "./side";

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

describe("WEBHOOK-7 the schedule of merchants' webhooks", () => {
  it("spreads twelve attempts over three days, each wait longer than the one before", () => {
    expect(WEBHOOK_SCHEDULE).toHaveLength(SIDES.outbox.maxAttempts - 1);
    const hours = WEBHOOK_SCHEDULE.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(72);
    expect(hours).toBeLessThan(80);
    expect([...WEBHOOK_SCHEDULE].sort((a, b) => a - b)).toEqual(WEBHOOK_SCHEDULE);
  });

  it("is that of endpoints alone, and a tenth apart at the most", () => {
    const topic = "webhook:01a1f41d-635a-7175-b834-688aaec1e627";
    expect([0, 0.5, 1].map((random) => attemptDelayMs("outbox", topic, 3, random))).toEqual([
      270_000, 300_000, 330_000,
    ]);
    expect(attemptDelayMs("outbox", topic, 50, 0.5)).toBe(86_400_000);
    expect(attemptDelayMs("outbox", "payments", 3, 1)).toBe(4_000);
    expect(attemptDelayMs("inbox", topic, 3, 1)).toBe(4_000);
  });
});
