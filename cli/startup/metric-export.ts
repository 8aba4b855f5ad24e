import type { Counter } from "prom-client";
import type { Config } from "@/domain/config";
import { settledWithin } from "@/domain/with-timeout";
import { meters, type MeterOutcome } from "@/engine/telemetry/meters";
import { SPAN_SCOPE } from "@/engine/telemetry/telemetry";
import { FLUSH_LIMIT_MS, resourceOf, type Exporting } from "./tracing";

/** As often as OpenTelemetry's SDKs send by default. */
const EXPORT_EVERY_MS = 60_000;
const NO_EXPORT: Exporting = { stop: () => Promise.resolve() };

/** What a collector sees of the answers that `/api/metrics` calls `idempotency_requests_total`: one name an outcome. */
const OF_OUTCOME: readonly (readonly [name: string, outcome: MeterOutcome])[] = [
  ["idempotent.created", "created"],
  // One specification has two names each for these.
  ["idempotent.replays", "replayed"],
  ["idempotent.replayed", "replayed"],
  ["idempotent.conflicts", "conflict"],
  ["idempotent.conflict", "conflict"],
  ["idempotency.replay.count", "replayed"],
  ["idempotency.conflict.different_request.count", "conflict"],
  ["idempotency.expired_retry.count", "expired"],
];

/**
 * Sends our counters to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names, under names with dots, which Prometheus cannot have.
 * They are read from the counters of /api/metrics when they are sent: both always say the same number.
 *
 * @param role of the process, e.g. `api`
 */
export async function startMetricExport(
  config: Pick<Config, "otlpEndpoint" | "region">,
  role: string,
): Promise<Exporting> {
  if (config.otlpEndpoint === undefined) return NO_EXPORT;
  const [{ OTLPMetricExporter }, { MeterProvider, PeriodicExportingMetricReader }] = await Promise.all([
    import("@opentelemetry/exporter-metrics-otlp-http"),
    import("@opentelemetry/sdk-metrics"),
  ]);
  const exporter = new OTLPMetricExporter({
    url: `${config.otlpEndpoint}/v1/metrics`,
    timeoutMillis: FLUSH_LIMIT_MS,
  });
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: FLUSH_LIMIT_MS,
  });
  const provider = new MeterProvider({ resource: await resourceOf(config, role), readers: [reader] });
  const meter = provider.getMeter(SPAN_SCOPE);
  for (const [name, outcome] of OF_OUTCOME) {
    const description = `Answers of keyed operations: ${outcome}`;
    meter.createObservableCounter(name, { description }).addCallback(async (observed) => {
      for (const { operation, value } of await answersOf(outcome)) observed.observe(value, { operation });
    });
  }
  const unknown = { description: "Operations whose outcome became unknown" };
  meter.createObservableCounter("idempotency.unknown_state.count", unknown).addCallback(async (observed) => {
    for (const { value } of await valuesOf(meters.unknownEntered)) observed.observe(value);
  });
  return { stop: () => settledWithin(provider.shutdown(), FLUSH_LIMIT_MS) };
}

async function answersOf(outcome: MeterOutcome): Promise<{ operation: string; value: number }[]> {
  const answers = (await valuesOf(meters.requests)).filter(({ labels }) => labels.outcome === outcome);
  return answers.map(({ labels, value }) => ({ operation: String(labels.operation), value }));
}

async function valuesOf<Label extends string>(counter: Counter<Label>) {
  return (await counter.get()).values;
}
