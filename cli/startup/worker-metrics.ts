import { createServer } from "node:http";
import type { Container } from "@/http/env";
import { createProcessMetrics } from "@/http/metrics/process-metrics";
import { drain, listen } from "./listen";

/**
 * Shows what this worker counted at /metrics. Workers have no other door, and what they hold open stands in the database's
 * gauges, which the API shows; only their counters are theirs alone.
 *
 * @param port none: nothing is opened
 * @throws Error in one sentence when the port is taken
 */
export async function startWorkerMetrics(
  deps: Pick<Container, "db" | "log">,
  port: number | undefined,
): Promise<{ stop(): Promise<void> }> {
  if (port === undefined) return { stop: () => Promise.resolve() };
  const metrics = createProcessMetrics(deps.db);
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { "content-type": metrics.contentType }).end(text),
      (error: unknown) => {
        deps.log.warn({ err: error }, "the metrics could not be read");
        response.writeHead(500).end();
      },
    );
  });
  await listen(server, port, "WORKER_METRICS_PORT");
  return { stop: () => drain(server) };
}
