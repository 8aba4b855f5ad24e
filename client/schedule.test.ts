import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryDelayMs, canRecover, DEFAULT_SCHEDULE, isSettled, retryAfterMs } from "./schedule";
import { uuidv7 } from "./uuidv7";

describe("CLIENT-3 the retry schedule", () => {
  it.each([
    [1, 0, 0],
    [2, 100, 200],
    [3, 200, 400],
    [4, 400, 800],
    [5, 800, 1600],
    [6, 1000, 2000],
    [40, 1000, 2000],
    [5000, 1000, 2000],
  ])("attempt %i waits %i to %i ms", (attempt, lower, upper) => {
    expect(retryDelayMs(DEFAULT_SCHEDULE, attempt, 0)).toBe(lower);
    expect(retryDelayMs(DEFAULT_SCHEDULE, attempt, 0.999999)).toBe(upper);
  });

  it("never waits longer than the cap", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          expect(retryDelayMs(DEFAULT_SCHEDULE, attempt, random)).toBeLessThanOrEqual(DEFAULT_SCHEDULE.capMs);
        },
      ),
    );
  });

  it.each([
    ["3", 3000],
    [" 3 ", 3000],
    ["0.5", 500],
    ["1000000000", 1e12],
    ["Thu, 19 Nov 2026 14:00:05 GMT", 5000],
    ["Thursday, 19-Nov-26 14:00:05 GMT", 5000],
    ["Thu Nov 19 14:00:05 2026", 5000],
    ["Thu, 19 Nov 2020 14:00:05 GMT", 0],
    [null, undefined],
    ["", undefined],
    ["soon", undefined],
    ["-1", undefined],
    ["0x10", undefined],
    ["9".repeat(400), undefined],
    ["Thu, 99 Nov 2026", undefined],
  ])("reads Retry-After %j as %j", (header, ms) => {
    expect(retryAfterMs(header, Date.parse("2026-11-19T14:00:00Z"))).toBe(ms);
  });

  const code = (name: string): string => `idempotency.${name}`;
  it.each([
    [{ status: 429 }, true, false, false],
    [{ status: 408 }, true, false, false],
    [{ status: 500 }, true, false, false],
    [{ status: 503, retryable: false }, false, false, false],
    [{ status: 503, mayRetry: false }, false, false, false],
    [{ status: 409, code: code("in_progress"), retryAfterMs: 2000 }, true, false, false],
    [{ status: 409, code: code("in_progress") }, false, false, false],
    [{ status: 409, code: code("outcome_unknown"), retryAfterMs: 2000 }, true, false, false],
    [{ status: 409, code: code("payload_mismatch"), speaksForKey: true }, false, true, true],
    [{ status: 409, code: code("payload_mismatch"), retryAfterMs: 2000, speaksForKey: true }, false, true, true],
    [{ status: 410, code: code("key_expired"), speaksForKey: true }, false, false, false],
    [{ status: 402, code: "payment.insufficient_funds", speaksForKey: true }, false, true, true],
    [{ status: 422 }, false, true, false],
    [{ status: 404 }, false, true, false],
    [{ status: 425 }, false, true, false],
    [{ status: 401 }, false, false, false],
    [{ status: 403 }, false, false, false],
    [{ status: 302 }, false, false, false],
    [{ status: 0 }, false, false, false],
    [{ status: 201 }, false, true, true],
  ])("%j: retry %s, settled %s, settled after a lost answer %s", (answer, retry, settled, settledLater) => {
    const whole = {
      code: undefined,
      retryable: undefined,
      mayRetry: undefined,
      retryAfterMs: undefined,
      speaksForKey: false,
      ...answer,
    };
    expect(canRecover(whole)).toBe(retry);
    expect([isSettled(whole, false), isSettled(whole, true)]).toEqual([settled, settledLater]);
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
