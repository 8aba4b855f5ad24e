import { expect, vi } from "vitest";
import { openHost, type TestHost } from "@/http/testing/host";
import { readSamples, sumOf } from "@/http/testing/scrape";
import { openTill, payment } from "@/http/testing/till";
import { startWorker } from "@/worker/main";

const UNTIL = { timeout: 30_000, interval: 100 };

/** One process that answers and works, in which a key was sent twice and its message arrived. */
export interface Exporter {
  readonly host: TestHost;
  /** @returns what Prometheus gets */
  scrape(): Promise<string>;
  close(): Promise<void>;
}

/** @returns a process whose every loop has ended a round */
export async function openExporter(): Promise<Exporter> {
  const host = await openHost("hono");
  const till = await openTill(host);
  if (host.deps === undefined) throw new Error("in process only");
  const { engine, modules, config } = host.deps;
  const worker = startWorker({ engine, modules, config: { ...config, workerIntervalMs: 20 } }, { address: host.url });
  const scrape = async (): Promise<string> => (await host.call({ path: "/api/metrics" })).text;
  const counted = (metric: string): Promise<void> =>
    vi.waitFor(async () => expect(sumOf(readSamples(await scrape()), metric)).toBeGreaterThan(0), UNTIL);
  const body = payment();
  for (let count = 0; count < 2; count += 1) await till.post("/payments", body, { key: "the-same" });
  await counted("messaging_client_consumed_messages_total");
  await counted("worker_last_success_timestamp_seconds");
  return {
    host,
    scrape,
    async close() {
      await worker.stop();
      await host.close();
    },
  };
}
