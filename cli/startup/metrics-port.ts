import { createServer } from "node:http";
import type { Config } from "@/domain/config";
import type { Container } from "@/http/env";
import { createProcessMetrics, type ProcessMetrics } from "@/http/metrics/process-metrics";
import { isMetricsToken } from "@/http/routes/metrics";
import { drain, listen } from "./listen";

export interface MetricsPort {
  /** None: nothing is opened. */
  readonly port: number | undefined;
  /** The variable that sets it, for the sentence about a taken port. */
  readonly variable: "METRICS_PORT" | "WORKER_METRICS_PORT";
}

type Shown = Pick<ProcessMetrics, "text" | "contentType">;

/**
 * Shows what this process counted at /metrics on a port of its own. Whoever may reach the port may read them; with METRICS_TOKEN
 * only who sends it.
 *
 * @param shown those of the API; of a worker without them. What workers hold open stands in the database's gauges, which the API
 *   shows; only their counters are theirs alone
 * @throws Error in one sentence when the port is taken
 */
export async function startMetricsPort(
  { port, variable }: MetricsPort,
  { db, log, config }: Pick<Container, "db" | "log"> & { readonly config: Pick<Config, "metricsToken" | "listenHost"> },
  shown: Shown = createProcessMetrics(db),
): Promise<{ stop(): Promise<void> }> {
  if (port === undefined) return { stop: () => Promise.resolve() };
  const { metricsToken, listenHost } = config;
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    if (metricsToken !== undefined && !isMetricsToken(metricsToken, request.headers.authorization)) {
      response.writeHead(401, { "www-authenticate": 'Bearer realm="onceboard"' }).end();
      return;
    }
    shown.text().then(
      (text) => response.writeHead(200, { "content-type": shown.contentType }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, "the metrics could not be read");
        response.writeHead(500).end();
      },
    );
  });
  await listen(server, { port, host: listenHost, variable });
  return { stop: () => drain(server) };
}
