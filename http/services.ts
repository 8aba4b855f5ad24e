import type { Container } from "./env";
import { createRateLimiter, DEFAULT_LIMITS } from "./guard/rate-limit";
import type { Metrics } from "./metrics/metrics";

export type Services = ReturnType<typeof createServices>;

export function createServices(deps: Container, metrics: Metrics) {
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
