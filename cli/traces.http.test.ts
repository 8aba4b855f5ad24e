import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inSpan } from "@/engine/telemetry/telemetry";
import { openHost, type TestHost, type HostName } from "@/http/testing/host";
import { openTill, payment, tillOf, type Till } from "@/http/testing/till";
import { createAgents, exchange } from "@/tests/support/providers";
import { startWorker, type Worker } from "@/worker/main";
import type { CheckedAnswer } from "@/http/testing/contract";

/** In process only: the exporter is. */
const IN_PROCESS: readonly HostName[] = ["hono", "mounted"];

const exporter = new InMemorySpanExporter();
beforeAll(() => {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
});
afterAll(() => trace.disable());

const spansOf = (traceId: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
const newTrace = (): { traceId: string; header: [string, string] } => {
  const traceId = randomBytes(16).toString("hex");
  return { traceId, header: ["traceparent", `00-${traceId}-${randomBytes(8).toString("hex")}-01`] };
};

describe.each(IN_PROCESS)("traces of %s and its worker", (name) => {
  let host: TestHost;
  let till: Till;
  let worker: Worker;
  const account = `acc_canary${randomBytes(6).toString("hex")}`;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    if (host.deps === undefined) throw new Error("in process only");
    const { engine, modules, config } = host.deps;
    worker = startWorker({ engine, modules, config: { ...config, workerIntervalMs: 20 } }, { address: host.url });
  });
  afterAll(async () => {
    await worker.stop();
    await host.close();
  });

  const spanNamed = (spans: readonly ReadableSpan[], wanted: string): ReadableSpan => {
    const found = spans.find((span) => span.name === wanted);
    if (found === undefined) throw new Error(`no span ${wanted} among ${spans.map((span) => span.name).join(", ")}`);
    return found;
  };
  const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
  const pay = (
    header: [string, string],
    key = randomUUID(),
    body = payment({ accountId: account }),
  ): Promise<CheckedAnswer> => till.post("/payments", body, { key, headers: [header] });

  it("TRACE-1 one trace goes from the caller through claim, provider and answer to the relay and the consumers", async () => {
    const { traceId, header } = newTrace();
    const answer = await pay(header);
    expect(answer.status).toBe(201);
    const names = () => spansOf(traceId).map((span) => span.name);
    await expect.poll(names, { timeout: 20_000 }).toEqual(expect.arrayContaining(["process ledger"]));
    const spans = spansOf(traceId);
    const chain = [
      "POST /api/v1/payments",
      "execute payments.create",
      "claim",
      "provider send",
      "complete",
      "send payments",
      "POST /api/v1/events/:source",
      "process ledger",
    ];
    expect(names()).toEqual(expect.arrayContaining(chain));
    const [server, execute] = [spanNamed(spans, "POST /api/v1/payments"), spanNamed(spans, "execute payments.create")];
    expect(parentOf(server)).toBe(header[1].split("-")[2]);
    expect(parentOf(execute)).toBe(server.spanContext().spanId);
    for (const child of ["claim", "provider send", "complete"])
      expect(parentOf(spanNamed(spans, child))).toBe(execute.spanContext().spanId);
    const send = spanNamed(spans, "send payments");
    const arrival = spanNamed(spans, "POST /api/v1/events/:source");
    expect(parentOf(arrival)).toBe(send.spanContext().spanId);
    expect(parentOf(spanNamed(spans, "process ledger"))).toBe(arrival.spanContext().spanId);
    expect(server.attributes).toEqual({
      "http.request.method": "POST",
      "url.scheme": "http",
      "http.route": "/api/v1/payments",
      "http.response.status_code": 201,
      "onceboard.request_id": answer.headers["request-id"],
    });
    expect(execute.attributes).toEqual({
      "idempotency.key_hash": expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
      "idempotency.operation": "payments.create",
      "idempotency.operation_id": answer.headers["operation-id"],
      "idempotency.attempt": 1,
      "idempotency.outcome": "created",
    });
    expect(spanNamed(spans, "provider send").attributes["http.request.resend_count"]).toBeUndefined();
  });

  it("TRACE-2 tags a retry, an unknown outcome and its recovery with the hash of the key", async () => {
    const key = randomUUID();
    const body = payment({ accountId: account });
    const [first, second] = [newTrace(), newTrace()];
    await host.faults({ timeout_before: 1 });
    const unknown = await pay(first.header, key, body);
    expect(unknown.status).toBe(504);
    const executed = spanNamed(spansOf(first.traceId), "execute payments.create").attributes;
    expect(executed).toMatchObject({ "idempotency.outcome": "unknown", "idempotency.attempt": 1 });
    expect(spanNamed(spansOf(first.traceId), "provider send").attributes["error.type"]).toBe("indefinite");
    await host.faults({ timeout_before: 0 });
    const operationId = unknown.headers["operation-id"];
    const recovered = () =>
      exporter
        .getFinishedSpans()
        .find(
          (span) =>
            span.attributes["idempotency.operation_id"] === operationId &&
            span.attributes["idempotency.to_state"] === "COMPLETED",
        );
    await expect.poll(recovered, { timeout: 20_000 }).toBeDefined();
    const recovery = spansOf(recovered()?.spanContext().traceId ?? "");
    expect(recovered()?.attributes["idempotency.key_hash"]).toBe(executed["idempotency.key_hash"]);
    expect(spanNamed(recovery, "provider look-up").attributes["onceboard.provider.reply"]).toBe("absent");
    expect(spanNamed(recovery, "provider send").attributes["http.request.resend_count"]).toBe(1);
    expect((await pay(second.header, key, body)).status).toBe(201);
    const replayed = spanNamed(spansOf(second.traceId), "execute payments.create").attributes;
    expect(replayed).toMatchObject({ "idempotency.outcome": "replayed", "idempotency.operation_id": operationId });
    expect(replayed["idempotency.key_hash"]).toBe(executed["idempotency.key_hash"]);
  });

  it("a bad traceparent begins a new trace, and machines that look every second begin none", async () => {
    const bad = `00-${"0".repeat(32)}-${"1".repeat(16)}-01`;
    const before = exporter.getFinishedSpans().length;
    await host.call({ path: "/api/health/live", headers: [["traceparent", bad]] });
    await host.call({ path: "/api/metrics" });
    expect(
      exporter
        .getFinishedSpans()
        .slice(before)
        .filter((span) => span.name.startsWith("GET")),
    ).toEqual([]);
    const answer = await till.get("/payments/nothing");
    const server = exporter
      .getFinishedSpans()
      .find((span) => span.attributes["onceboard.request_id"] === answer.headers["request-id"]);
    expect([server?.name, server?.parentSpanContext]).toEqual(["GET /api/v1/payments/:id", undefined]);
  });

  it("PROFILE-4 the trace that a fault names is the one that is exported", async () => {
    const fault = tillOf(host, await host.key(["payments"], { profile: "fault" }));
    const answer = await fault.post("/payments", payment(), { key: null });
    const { traceId } = (answer.json?.["fault"] ?? {}) as { traceId?: string };
    expect(spansOf(String(traceId)).map((span) => span.name)).toContain("POST /api/v1/payments");
  });

  it("TRACE-2 no span holds a key, a tenant, an account or an address that names one", async () => {
    const key = `canary-${randomUUID()}`;
    await till.post("/payments", payment({ accountId: account }), { key });
    await till.get(`/accounts/${account}?key=${key}`);
    const text = JSON.stringify(
      exporter
        .getFinishedSpans()
        .map(({ name: of, attributes, events, status }) => ({ of, attributes, events, status })),
    );
    for (const secret of [key, host.tenant, account, till.apiKey, host.secret]) expect(text).not.toContain(secret);
  });
});

describe("calls to a provider", () => {
  it("carry the trace of the span around them, and nothing outside of one", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers);
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    const agents = createAgents();
    const call = () => exchange(agents, { method: "GET", url, headers: {} }, { timeoutMs: 5_000 });
    const { traceId, header } = newTrace();
    await call();
    await inSpan("around", { parent: header[1] }, call);
    agents.http.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const around = spansOf(traceId)[0]?.spanContext().spanId;
    expect(seen.map((headers) => headers["traceparent"])).toEqual([undefined, `00-${traceId}-${String(around)}-01`]);
  });
});
