import type { Config } from "@/domain/config";
import { startMetricExport } from "./metric-export";
import { startTracing, type Exporting } from "./tracing";

/** Spans and counters of a process for the collector that OTEL_EXPORTER_OTLP_ENDPOINT names; nothing without it. */
export async function startTelemetry(
  config: Pick<Config, "otlpEndpoint" | "region">,
  role: string,
): Promise<Exporting> {
  const started = await Promise.all([startTracing(config, role), startMetricExport(config, role)]);
  return {
    async stop() {
      await Promise.all(started.map((exporting) => exporting.stop()));
    },
  };
}
