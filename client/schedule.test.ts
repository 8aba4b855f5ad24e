import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs, canHeal, DEFAULT_SCHEDULE, isSettled, retryAfterMs } from "./schedule";
import { uuidv7 } from "./uuidv7";

describe("S3.3: the retry schedule", () => {
  it.each([
    [1, 0, 0],
    [2, 100, 200],
    [3, 200, 400],
    [4, 400, 800],
    [5, 800, 1600],
    [6, 1000, 2000],
    [40, 1000, 2000],
  ])("attempt %i waits %i to %i ms", (attempt, lower, upper) => {
    expect(backoffMs(DEFAULT_SCHEDULE, attempt, 0)).toBe(lower);
    expect(backoffMs(DEFAULT_SCHEDULE, attempt, 0.999999)).toBe(upper);
  });

  it("never waits longer than the cap", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          expect(backoffMs(DEFAULT_SCHEDULE, attempt, random)).toBeLessThanOrEqual(DEFAULT_SCHEDULE.capMs);
        },
      ),
    );
  });

  it("reads Retry-After as seconds and as a date", () => {
    expect(retryAfterMs("3", 0)).toBe(3000);
    expect(retryAfterMs("Thu, 19 Nov 2026 14:00:05 GMT", Date.parse("2026-11-19T14:00:00Z"))).toBe(5000);
    expect([null, "", "soon", "-1"].map((header) => retryAfterMs(header, 0))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ status: 429 }, true, false],
    [{ status: 500 }, true, false],
    [{ status: 503, retryable: false }, false, false],
    [{ status: 503, shouldRetry: "false" }, false, false],
    [{ status: 409, code: "idempotency.in_progress", retryAfterMs: 2000 }, true, false],
    [{ status: 409, code: "idempotency.in_progress" }, false, false],
    [{ status: 409, code: "idempotency.outcome_unknown", retryAfterMs: 2000 }, false, false],
    [{ status: 409, code: "idempotency.payload_mismatch" }, false, true],
    [{ status: 402, code: "payment.insufficient_funds" }, false, true],
    [{ status: 422 }, false, true],
    [{ status: 401 }, false, false],
    [{ status: 403 }, false, false],
    [{ status: 201 }, false, true],
  ])("%j: retry %s, settled %s", (answer, retry, settled) => {
    expect(canHeal(answer)).toBe(retry);
    expect(isSettled(answer)).toBe(settled);
  });
});

describe("uuidv7", () => {
  it("is version 7, carries the time and sorts by it", () => {
    const key = uuidv7(Date.parse("2026-11-19T14:02:09.114Z"));
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(key.replace("-", "").slice(0, 12), 16)).toBe(Date.parse("2026-11-19T14:02:09.114Z"));
    expect(uuidv7(1) < uuidv7(2)).toBe(true);
    expect(uuidv7(1)).not.toBe(uuidv7(1));
  });
});
