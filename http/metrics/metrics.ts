import type { Context } from "hono";
import { boundedHistogram } from "@/engine/telemetry/bounded-labels";
import { METER_OUTCOMES, meters } from "@/engine/telemetry/meters";
import type { ApiEnv, Container } from "../env";
import { registerGauges } from "./gauges";
import { registerReplica } from "./replica-gauges";
import { createProcessMetrics } from "./process-metrics";
import { methodOf, routeOf } from "./route-of";

/** Seconds: from a replay's one round trip to the longest wait for a provider. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MS_PER_SECOND = 1_000;

/** Without tenant, client or key: whoever reads them learns only how it goes. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(deps: Container) {
  const own = createProcessMetrics(deps.db);
  const durations = boundedHistogram({
    name: "http_server_request_duration_seconds",
    help: "From the arrival of a request to its answer",
    labelNames: ["http_route", "http_request_method", "http_response_status_code"],
    buckets: BUCKETS,
    registers: [own.registry],
  });
  // A counter that begins at its first event hides it: there is nothing that it grew from.
  for (const { name: operation } of deps.modules.operations) {
    for (const outcome of METER_OUTCOMES) meters.requests.inc({ operation, outcome }, 0);
  }
  const readGauges = registerGauges(own.registry, deps);
  const readReplica = registerReplica(own.registry, deps.replica);
  return {
    observe(c: Context<ApiEnv>, durationMs: number): void {
      const labels = {
        http_route: routeOf(c),
        http_request_method: methodOf(c),
        http_response_status_code: c.res.status,
      };
      durations.observe(labels, durationMs / MS_PER_SECOND);
    },
    received: (outcome: string): void => meters.arrived.inc({ outcome }),
    async text(): Promise<string> {
      await Promise.all([readGauges(), readReplica()]);
      return own.text();
    },
    contentType: own.contentType,
  };
}
