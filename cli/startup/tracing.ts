import type { Config } from "@/domain/config";
import { settledWithin } from "@/domain/with-timeout";
import { SPAN_SCOPE } from "@/engine/telemetry/telemetry";

/** Of spans or of counters. */
export interface Exporting {
  /** Sends what is left, or gives it up after {@link FLUSH_LIMIT_MS}. */
  stop(): Promise<void>;
}

/** A collector that is away must not keep a process from ending. */
export const FLUSH_LIMIT_MS = 2_000;
/** Spans of one process that wait for the collector; beyond it they are dropped. */
const MAX_WAITING = 2_048;
const NO_TRACING: Exporting = { stop: () => Promise.resolve() };

/**
 * Sends our spans to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names; without it the SDK is not even loaded. Other
 * `OTEL_…` variables (headers of the collector, the sampler) are read by the SDK itself.
 *
 * @param role of the process, e.g. `api`
 */
export async function startTracing(config: Pick<Config, "otlpEndpoint" | "region">, role: string): Promise<Exporting> {
  if (config.otlpEndpoint === undefined) return NO_TRACING;
  const [{ OTLPTraceExporter }, { BatchSpanProcessor }, { NodeTracerProvider }] = await Promise.all([
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/sdk-trace-node"),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${config.otlpEndpoint}/v1/traces`,
    timeoutMillis: FLUSH_LIMIT_MS,
  });
  const batches = new BatchSpanProcessor(exporter, { maxQueueSize: MAX_WAITING, exportTimeoutMillis: FLUSH_LIMIT_MS });
  const provider = new NodeTracerProvider({
    resource: await resourceOf(config, role),
    spanProcessors: [
      {
        onStart: (span, context) => batches.onStart(span, context),
        // Next makes spans of its own in the same process, and theirs hold whole addresses: a search for a key among them.
        onEnd: (span) => {
          if (span.instrumentationScope.name === SPAN_SCOPE) batches.onEnd(span);
        },
        forceFlush: () => batches.forceFlush(),
        shutdown: () => batches.shutdown(),
      },
    ],
  });
  provider.register();
  // Lost spans are no reason to end badly.
  return { stop: () => settledWithin(provider.shutdown(), FLUSH_LIMIT_MS) };
}

/** Who sends: the same for spans and counters of one process. */
export async function resourceOf({ region }: Pick<Config, "region">, role: string) {
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  return resourceFromAttributes({
    "service.name": `onceboard-${role}`,
    "service.namespace": "onceboard",
    "service.instance.id": `${role}-${String(process.pid)}`,
    "cloud.region": region,
  });
}
