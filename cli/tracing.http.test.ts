import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { createTestDatabase } from "@/db/testing/test-database";
import { METRICS_TOKEN } from "@/http/testing/host";
import { freePort } from "./startup/listen";
import { FLUSH_LIMIT_MS } from "./startup/tracing";

interface OtlpMetrics {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly sum?: {
          readonly isMonotonic: boolean;
          readonly dataPoints: readonly {
            readonly asDouble: number;
            readonly attributes: readonly { key: string; value: { stringValue?: string } }[];
          }[];
        };
      }[];
    }[];
  }[];
}
interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
}
interface Otlp {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A collector as OTLP over HTTP wants it; `mute` takes everything and never answers. */
async function startCollector(mute: boolean): Promise<{
  server: Server;
  url: string;
  taken: () => readonly Otlp[];
  counted: () => readonly OtlpMetrics[];
}> {
  const taken: Otlp[] = [];
  const counted: OtlpMetrics[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (mute) return;
      const sent: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      if (request.url === "/otlp/v1/traces") taken.push(sent as Otlp);
      if (request.url === "/otlp/v1/metrics") counted.push(sent as OtlpMetrics);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/otlp`;
  return { server, url, taken: () => taken, counted: () => counted };
}

const OUTCOME_NAMES = [
  "idempotent.created",
  "idempotent.replays",
  "idempotent.replayed",
  "idempotent.conflicts",
  "idempotent.conflict",
  "idempotency.replay.count",
  "idempotency.conflict.different_request.count",
  "idempotency.expired_retry.count",
];

describe("the processes of cli/", () => {
  let test: Awaited<ReturnType<typeof createTestDatabase>>;
  let apiKey: string;
  const secret = randomBytes(32).toString("base64url");
  const encryptionKeys = `k1:${randomBytes(32).toString("base64")}`;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    test = await createTestDatabase();
    apiKey = (await createApiKey(test.db, { tenant: "acme", name: "till", scopes: ["accounts"] })).key;
  });
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await test.drop();
  });

  async function start(entry: string, env: Readonly<Record<string, string>>) {
    let output = "";
    const child = spawn(process.execPath, ["--import", "tsx", entry], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        NODE_ENV: "production",
        PATH: process.env["PATH"],
        DATABASE_URL: test.url,
        SECRET: secret,
        ENCRYPTION_KEYS: encryptionKeys,
        LOG_LEVEL: "debug",
        ...env,
      },
    });
    running.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => child.exitCode !== null || output.includes("ready"), { timeout: 40_000 }).toBe(true);
    if (child.exitCode !== null) throw new Error(output);
    return {
      output: () => output,
      async stop(): Promise<number | null> {
        child.kill("SIGTERM");
        const [code] = (await once(child, "exit")) as [number | null];
        return code;
      },
    };
  }
  const open = (port: number, key: string, traceparent: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(port)}/api/v1/accounts`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        "idempotency-key": key,
        traceparent,
      },
      body: JSON.stringify({ accountId: `acc_canary_${key}`, currency: "EUR" }),
    });

  it("TRACE-2 sends the spans of its last request before it ends, and writes neither key nor account", async () => {
    const collector = await startCollector(false);
    const port = await freePort();
    const api = await start("cli/api.ts", { PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const [key, traceId] = [`canary-${randomUUID()}`, randomBytes(16).toString("hex")];
    expect((await open(port, key, `00-${traceId}-${"1".repeat(16)}-01`)).status).toBe(201);
    expect(await api.stop()).toBe(0);
    const resources = collector.taken().flatMap((otlp) => otlp.resourceSpans);
    const scopes = resources.flatMap((resource) => resource.scopeSpans);
    expect(new Set(scopes.map(({ scope }) => scope.name))).toEqual(new Set(["onceboard"]));
    const spans = scopes.flatMap((scope) => scope.spans);
    expect(
      spans
        .filter((span) => span.traceId === traceId)
        .map((span) => span.name)
        .sort(),
    ).toEqual(["POST /api/v1/accounts", "claim", "complete", "execute accounts.create"]);
    expect(resources[0]?.resource.attributes).toContainEqual({
      key: "service.name",
      value: { stringValue: "onceboard-api" },
    });
    expect(api.output()).toContain('"msg":"answered"');
    for (const canary of [key, apiKey, secret, encryptionKeys]) {
      expect(api.output()).not.toContain(canary);
      expect(JSON.stringify(collector.taken())).not.toContain(canary);
    }
    collector.server.closeAllConnections();
    collector.server.close();
  });

  it("METRIC-2 sends its counters under the names that collectors know, the same numbers as /api/metrics", async () => {
    const collector = await startCollector(false);
    const port = await freePort();
    const api = await start("cli/api.ts", {
      PORT: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      METRICS_TOKEN,
    });
    const key = `canary-${randomUUID()}`;
    const traceparent = `00-${"2".repeat(32)}-${"1".repeat(16)}-01`;
    for (const status of [201, 201, 201]) expect((await open(port, key, traceparent)).status).toBe(status);
    const prometheus = await (
      await fetch(`http://127.0.0.1:${String(port)}/api/metrics`, {
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      })
    ).text();
    expect(prometheus).toContain('idempotency_requests_total{operation="accounts.create",outcome="replayed"} 2');
    expect(await api.stop()).toBe(0);
    const [resource] = collector.counted().at(-1)?.resourceMetrics ?? [];
    expect(resource?.resource.attributes).toContainEqual({
      key: "service.name",
      value: { stringValue: "onceboard-api" },
    });
    const metrics = resource?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    const valueOf = (name: string): number | undefined =>
      metrics
        .find((metric) => metric.name === name)
        ?.sum?.dataPoints.find(({ attributes }) =>
          attributes.some(({ value }) => value.stringValue === "accounts.create"),
        )?.asDouble;
    expect({
      "idempotent.created": 1,
      "idempotent.replays": 2,
      "idempotent.replayed": 2,
      "idempotent.conflicts": 0,
      "idempotent.conflict": 0,
      "idempotency.replay.count": 2,
      "idempotency.conflict.different_request.count": 0,
      "idempotency.expired_retry.count": 0,
    }).toEqual(Object.fromEntries(OUTCOME_NAMES.map((name) => [name, valueOf(name)])));
    const unknown = metrics.find(({ name }) => name === "idempotency.unknown_state.count");
    expect(unknown?.sum?.dataPoints.map(({ asDouble }) => asDouble)).toEqual([0]);
    expect(metrics.every(({ sum }) => sum?.isMonotonic === true)).toBe(true);
    expect(JSON.stringify(collector.counted())).not.toContain(key);
    collector.server.closeAllConnections();
    collector.server.close();
  });

  it("ends in time although the collector never answers, and the worker shows its metrics", async () => {
    const collector = await startCollector(true);
    const port = await freePort();
    const worker = await start("cli/worker.ts", {
      WORKER_METRICS_PORT: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      WORKER_INTERVAL_MS: "20",
    });
    const metrics = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
    expect(metrics).toMatch(/^recovery_takeovers_total \d+$/m);
    const started = performance.now();
    expect(await worker.stop()).toBe(0);
    expect(performance.now() - started).toBeLessThan(FLUSH_LIMIT_MS + 4_000);
    collector.server.closeAllConnections();
    collector.server.close();
  });

  it("a port that is taken is said in one sentence that names its variable", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, resolve));
    const port = String((taken.address() as AddressInfo).port);
    await expect(start("cli/worker.ts", { WORKER_METRICS_PORT: port })).rejects.toThrow(
      `Port ${port} is taken by another program: stop that one, or set WORKER_METRICS_PORT`,
    );
    await new Promise((resolve) => taken.close(resolve));
  });
});
