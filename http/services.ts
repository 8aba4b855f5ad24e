import type { Container } from "./env";
import { createRateLimiter, DEFAULT_LIMITS, type RateLimiter } from "./guard/rate-limit";
import type { Metrics } from "./metrics/metrics";

/** What one app keeps beside the process's own parts. */
export interface Services {
  readonly deps: Container;
  readonly metrics: Metrics;
  readonly limiters: {
    readonly calls: RateLimiter;
    readonly events: RateLimiter;
    readonly admin: RateLimiter;
  };
}

export function createServices(deps: Container, metrics: Metrics): Services {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  return {
    deps,
    metrics,
    limiters: {
      calls: createRateLimiter("calls", limits.calls),
      events: createRateLimiter("events", limits.events),
      admin: createRateLimiter("admin", limits.admin),
    },
  };
}
