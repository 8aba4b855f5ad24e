import type { Context } from "hono";
import { routePath } from "hono/route";
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import type { Answer } from "@/engine/answer";
import type { ApiEnv, HttpDeps } from "../env";
import { registerGauges } from "./gauges";

/** Seconds: from a replay's one round trip to the longest wait for a provider. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MS_PER_SECOND = 1_000;

/** Numbers of this process and of the database, without tenant, client or key: whoever reads them learns only how it goes. */
export interface Metrics {
  observe(c: Context<ApiEnv>, durationMs: number): void;
  /** One caller was told the outcome of a keyed request. */
  answered(operation: string, outcome: Answer["outcome"]): void;
  received(outcome: string): void;
  text(): Promise<string>;
  readonly contentType: string;
}

export function createMetrics(deps: HttpDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "onceboard_http_requests_total",
    help: "Answered requests",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "onceboard_http_request_duration_seconds",
    help: "From the arrival of a request to its answer",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers,
  });
  const answers = new Counter({
    name: "onceboard_answers_total",
    help: "What callers of keyed operations were told: executed, replayed, conflict, in_progress, unknown, expired, purged, refused",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const arrivals = new Counter({
    name: "onceboard_events_received_total",
    help: "Inbound events: recorded, duplicate, mismatch",
    labelNames: ["outcome"],
    registers,
  });
  registerGauges(registry, deps);
  return {
    observe(c, durationMs) {
      // The pattern, not the path: paths have no end.
      const route = c.res.status === 404 && c.error === undefined ? "none" : routePath(c, -1);
      requests.inc({ route, method: c.req.method, status: c.res.status });
      durations.observe({ route }, durationMs / MS_PER_SECOND);
    },
    answered: (operation, outcome) => answers.inc({ operation, outcome }),
    received: (outcome) => arrivals.inc({ outcome }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
