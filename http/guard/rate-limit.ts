import { AppError } from "@/domain/errors";

/** A token bucket: `burst` at once, refilled at `perSecond`. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Limits by name, per process and caller. They stop a runaway loop; they are not a plan that is sold. */
export interface RateLimits {
  /** Per API key: payments, refunds, voids, accounts, reads. */
  readonly calls: RateLimit;
  /** Per tenant and event source. */
  readonly events: RateLimit;
  /** Per operator or API key. */
  readonly admin: RateLimit;
}

export const DEFAULT_LIMITS: RateLimits = {
  calls: { perSecond: 2_000, burst: 4_000 },
  events: { perSecond: 1_000, burst: 2_000 },
  admin: { perSecond: 100, burst: 400 },
};

/** Callers that one limiter remembers; whoever was made longest ago is forgotten first and starts with a full bucket. */
const MAX_CALLERS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** @param now milliseconds of a clock that never goes back */
export function createRateLimiter(name: string, limit: RateLimit, now: () => number = () => performance.now()) {
  const buckets = new Map<string, Bucket>();

  function bucketOf(caller: string): Bucket {
    const known = buckets.get(caller);
    if (known !== undefined) return known;
    if (buckets.size >= MAX_CALLERS) {
      const oldest = buckets.keys().next();
      if (oldest.done !== true) buckets.delete(oldest.value);
    }
    const made = { tokens: limit.burst, at: now() };
    buckets.set(caller, made);
    return made;
  }
  return {
    /** @throws AppError `rate_limit.exceeded` 429 with Retry-After; nothing is recorded */
    take(caller: string): void {
      const bucket = bucketOf(caller);
      const time = now();
      bucket.tokens = Math.min(limit.burst, bucket.tokens + ((time - bucket.at) / 1_000) * limit.perSecond);
      bucket.at = time;
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return;
      }
      throw new AppError("rate_limit.exceeded", 429, "Too many requests", {
        detail: `The limit "${name}" is ${String(limit.perSecond)} requests a second. Nothing was recorded; retry with the same key.`,
        retryable: true,
        retryAfter: Math.max(1, Math.ceil((1 - bucket.tokens) / limit.perSecond)),
        extensions: { limit: name },
      });
    },
    /** Gives a token back: a replay is not charged to the quota a second time. */
    restore(caller: string): void {
      const bucket = buckets.get(caller);
      if (bucket !== undefined) bucket.tokens = Math.min(limit.burst, bucket.tokens + 1);
    },
  };
}
