import { describe, expect, it } from "vitest";
import { createHandlerPace, TOGETHER_LIMIT_MAX_MS, TOGETHER_LIMIT_MIN_MS } from "./handler-pace";

const KIND = { consumer: "ledger", type: "payment.succeeded" };
const OTHER = { consumer: "ledger", type: "refund.succeeded" };

describe("the pace of handlers", () => {
  it("gives an unknown kind the longest limit, and a quick one a short one", () => {
    const pace = createHandlerPace();
    expect(pace.limitMs(KIND)).toBe(TOGETHER_LIMIT_MAX_MS);
    for (let count = 0; count < 20; count += 1) pace.noteEnded(KIND, 0.2);
    expect(pace.limitMs(KIND)).toBe(TOGETHER_LIMIT_MIN_MS);
    for (let count = 0; count < 200; count += 1) pace.noteEnded(KIND, 1.5);
    expect(pace.limitMs(KIND)).toBeCloseTo(30, 0);
    expect(pace.limitMs(OTHER)).toBe(TOGETHER_LIMIT_MAX_MS);
  });

  it("tries a kind that is mostly too slow no more together, but now and then, and takes it back once it is quick", () => {
    const pace = createHandlerPace();
    pace.noteSlow(KIND);
    expect(pace.limitMs(KIND)).toBeGreaterThan(0);
    pace.noteSlow(KIND);
    const tried = Array.from({ length: 100 }, () => pace.limitMs(KIND)).filter((ms) => ms > 0);
    expect(tried).toHaveLength(2);
    expect(pace.limitMs(OTHER)).toBeGreaterThan(0);
    pace.noteEnded(KIND, 1);
    expect(pace.limitMs(KIND)).toBeGreaterThan(0);
  });

  it("one slow message among many is no reason to handle the others alone", () => {
    const pace = createHandlerPace();
    for (let round = 0; round < 50; round += 1) {
      for (let count = 0; count < 20; count += 1) pace.noteEnded(KIND, 1);
      pace.noteSlow(KIND);
      expect(pace.limitMs(KIND)).toBeGreaterThan(0);
    }
  });

  it("does not grow without end over types that others choose", () => {
    const pace = createHandlerPace();
    for (let count = 0; count < 5_000; count += 1) pace.noteSlow({ consumer: "ledger", type: `t${String(count)}` });
    expect(pace.limitMs(KIND)).toBe(TOGETHER_LIMIT_MAX_MS);
  });
});
