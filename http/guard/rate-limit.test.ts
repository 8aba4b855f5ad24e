import { describe, expect, it } from "vitest";
import { createRateLimiter } from "./rate-limit";

describe("a rate limiter", () => {
  it("lets a burst through, refills with time, and tells how long to wait", () => {
    let now = 0;
    const limiter = createRateLimiter("calls", { perSecond: 2, burst: 3 }, () => now);
    for (let count = 0; count < 3; count += 1) limiter.take("a");
    expect(() => limiter.take("a")).toThrow(
      expect.objectContaining({ code: "rate_limit.exceeded", status: 429, retryAfter: 1 }),
    );
    now = 500;
    limiter.take("a");
    expect(() => limiter.take("a")).toThrow();
    now = 1_000_000;
    for (let count = 0; count < 3; count += 1) limiter.take("a");
    expect(() => limiter.take("a")).toThrow();
  });

  it("counts every caller alone, and takes a token back", () => {
    const limiter = createRateLimiter("calls", { perSecond: 1, burst: 1 }, () => 0);
    limiter.take("a");
    limiter.take("b");
    limiter.restore("a");
    limiter.take("a");
    expect(() => limiter.take("b")).toThrow();
    limiter.restore("never seen");
  });

  it("remembers a bounded number of callers", () => {
    const limiter = createRateLimiter("calls", { perSecond: 0.001, burst: 1 }, () => 0);
    limiter.take("first");
    for (let count = 0; count < 10_000; count += 1) limiter.take(`caller-${String(count)}`);
    expect(() => limiter.take("first")).not.toThrow();
  });
});
