import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "@/engine/telemetry/log";
import { METER_OUTCOMES } from "@/engine/telemetry/meters";
import { METRICS_TOKEN, openHost, type TestHost, type HostName } from "@/http/testing/host";
import { createMetrics } from "@/http/metrics/metrics";
import { readSamples, sumOf, type Sample } from "@/http/testing/scrape";
import { openTill, payment, tillOf, type Till } from "@/http/testing/till";
import { startWorker, type Worker } from "@/worker/main";
import { freePort } from "./startup/listen";
import { startMetricsPort } from "./startup/metrics-port";

const IN_PROCESS: readonly HostName[] = ["hono", "mounted"];
const OPERATION = "payments.create";
/** Everything a sample of ours may be told apart by. None of them grows with tenants, clients or keys. */
const LABELS = new Set([
  "operation",
  "outcome",
  "http_route",
  "http_request_method",
  "http_response_status_code",
  "db_operation_name",
  "db_client_connection_state",
  "kind",
  "reason",
  "side",
  "loop",
  "condition",
  "le",
]);
/** Of prom-client's own metrics of Node. */
const OF_NODE = /^(?:nodejs|process)_/;
const seriesOf = (samples: readonly Sample[]): Set<string> =>
  new Set(samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`));

describe.each(IN_PROCESS)("the metrics of %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
  });
  afterAll(() => host.close());

  const scrape = async (): Promise<Sample[]> => readSamples((await host.call({ path: "/api/metrics" })).text);
  const write = (samples: readonly Sample[], operation = OPERATION): Record<string, number> =>
    Object.fromEntries(
      METER_OUTCOMES.map((outcome) => [outcome, sumOf(samples, "idempotency_requests_total", { operation, outcome })]),
    );
  /** What a scrape has more of than an earlier one. */
  const grown = async (before: readonly Sample[], operation?: string): Promise<Record<string, number>> => {
    const [then, now] = [write(before, operation), write(await scrape(), operation)];
    return Object.fromEntries(
      Object.entries(now).flatMap(([outcome, value]) =>
        value === then[outcome] ? [] : [[outcome, value - (then[outcome] ?? 0)]],
      ),
    );
  };

  it("METRIC-1 counts every answer under the one word that says what the caller was told", async () => {
    const before = await scrape();
    const key = randomUUID();
    const body = payment();
    await till.post("/payments", body, { key });
    await till.post("/payments", body, { key });
    await till.post("/payments", body, { key });
    expect(await grown(before)).toEqual({ created: 1, replayed: 2 });
    await till.post("/payments", { ...body, amount: "99.00" }, { key });
    await till.post("/payments", payment({ amount: "10.51" }));
    await host.rows("update onceboard.idempotency_requests set expires_at = '2000-01-01' where key = $1", key);
    await till.post("/payments", body, { key });
    expect(await grown(before)).toEqual({ created: 1, replayed: 2, conflict: 1, failed: 1, expired: 1 });
    const lost = randomUUID();
    const lostBody = payment();
    await host.faults({ timeout_after_accept: 1 });
    await till.post("/payments", lostBody, { key: lost });
    await till.post("/payments", lostBody, { key: lost });
    await host.faults({ timeout_after_accept: 0 });
    expect(await grown(before)).toMatchObject({ unknown: 2 });
    // Its owner died before it could give up: the retry that finds the lease stale recovers it.
    await host.rows(
      `update onceboard.idempotency_open set unknown_since = null, owner = 'dead', locked_until = '2000-01-01' where key = $1`,
      lost,
    );
    await host.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where key = $1", lost);
    expect((await till.post("/payments", lostBody, { key: lost })).status).toBe(201);
    await host.faults({ slow_ms: 500 });
    const both = payment();
    const twice = randomUUID();
    const [one, two] = await Promise.all([1, 2].map(() => till.post("/payments", both, { key: twice })));
    await host.faults({ slow_ms: 0 });
    expect([one?.status, two?.status].sort()).toEqual([201, 409]);
    expect(await grown(before)).toEqual({
      created: 2,
      replayed: 2,
      conflict: 1,
      failed: 1,
      expired: 1,
      unknown: 2,
      recovered: 1,
      in_progress: 1,
    });
    const after = await scrape();
    const more = (metric: string, labels = {}) => sumOf(after, metric, labels) - sumOf(before, metric, labels);
    expect(more("idempotency_unknown_entered_total")).toBe(1);
    expect(more("recovery_takeovers_total")).toBe(1);
  });

  it("METRIC-1 counts what was refused before a key was looked at as HTTP only", async () => {
    const before = await scrape();
    await till.post("/payments", payment({ amount: "x" }));
    await till.post("/payments", payment(), { key: null });
    expect(await grown(before)).toEqual({});
    const after = await scrape();
    for (const http_response_status_code of ["422", "400"]) {
      const labels = { http_route: "/api/v1/payments", http_response_status_code };
      const count = "http_server_request_duration_seconds_count";
      expect(sumOf(after, count, labels) - sumOf(before, count, labels)).toBe(1);
    }
  });

  it("METRIC-2 measures how long after the first request a key came again, and not for a conflict", async () => {
    const key = randomUUID();
    const body = { accountId: `acc_${randomUUID().slice(0, 8)}`, currency: "EUR" };
    await till.post("/accounts", body, { key });
    const of = { operation: "accounts.create" };
    const before = await scrape();
    const more = async (suffix: string, labels = {}) => {
      const metric = `idempotency_retry_delay_seconds_${suffix}`;
      return sumOf(await scrape(), metric, { ...of, ...labels }) - sumOf(before, metric, { ...of, ...labels });
    };
    await host.rows(
      "update onceboard.idempotency_requests set created_at = created_at - interval '40 seconds' where key = $1",
      key,
    );
    await till.post("/accounts", { ...body, currency: "USD" }, { key });
    expect(await more("count")).toBe(0);
    await till.post("/accounts", body, { key });
    expect([await more("count"), Math.round(await more("sum"))]).toEqual([1, 40]);
    expect([await more("bucket", { le: "30" }), await more("bucket", { le: "60" })]).toEqual([0, 1]);
  });

  it("METRIC-3 no label names a tenant, a client, a key, an account or an id, and their number has an end", async () => {
    const admin = tillOf(host, await host.key(["admin"], { name: "canary-client" }));
    const key = `canary-${randomUUID()}`;
    const account = `acc_canary_${randomUUID().slice(0, 8)}`;
    const paid = await till.post("/payments", payment({ accountId: account }), { key });
    await till.get(`/operations/${String(paid.headers["operation-id"])}`);
    await till.get(`/accounts/${account}?key=${key}`);
    await admin.post(`/admin/operations/${String(paid.headers["operation-id"])}/reconcile`, {}, { key });
    await host.call({ path: `/api/v1/${key}` });
    await host.call({ method: "PROPFIND", path: "/api/v1/payments" });
    await till.post("/payments", payment({ amount: "x" }));
    // What a process writes in batches has its series from the first batch on, up to a second later.
    const statements = async () => new Set((await scrape()).map(({ labels: { db_operation_name: name } }) => name));
    for (const batched of ["record_events", "record_refusals", "touch_api_keys"])
      await expect.poll(statements, { timeout: 10_000 }).toContain(batched);
    const answer = await host.call({ path: "/api/metrics" });
    const samples = readSamples(answer.text).filter((sample) => !OF_NODE.test(sample.name));
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    expect([...labels].filter((label) => !LABELS.has(label))).toEqual([]);
    for (const secret of [host.tenant, "canary", "till", account, String(paid.headers["operation-id"])])
      expect(answer.text).not.toContain(secret);
    expect(samples.map((sample) => sample.labels["http_route"])).toContain("/api/v1/operations/:operationId");
    expect(samples.map((sample) => sample.labels["http_request_method"])).toContain("_OTHER");
    // The same again is no new series.
    const series = seriesOf(samples);
    for (let count = 0; count < 5; count += 1)
      await till.post("/payments", payment({ accountId: `${account}${String(count)}` }));
    const again = (await scrape()).filter((sample) => !OF_NODE.test(sample.name));
    expect([...seriesOf(again)].filter((name) => !series.has(name))).toEqual([]);
  });

  it("METRIC-6 docs/OBSERVABILITY.md names every metric, and none that is not there", async () => {
    const page = readFileSync(`${import.meta.dirname}/../docs/OBSERVABILITY.md`, "utf8");
    const table = page.slice(page.indexOf("| metric | type |"), page.indexOf("Names and attributes follow"));
    const named = new Set([...table.matchAll(/`([a-z_]+)(?:\{[a-z_,]+\})?`/g)].map(([, metric = ""]) => metric));
    const text = (await host.call({ path: "/api/metrics" })).text;
    const shown = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, metric = ""]) => metric);
    const ours = new Set(shown.filter((metric) => !OF_NODE.test(metric)));
    expect([...named].sort()).toEqual([...ours].sort());
  });

  it("METRIC-2 tells how the database and its pool do", async () => {
    const before = await scrape();
    await till.post("/payments", payment());
    const after = await scrape();
    const more = (metric: string, labels = {}) => sumOf(after, metric, labels) - sumOf(before, metric, labels);
    const statements = "db_client_operation_duration_seconds_count";
    for (const db_operation_name of ["claim", "complete", "begin", "commit"])
      expect([db_operation_name, more(statements, { db_operation_name })]).not.toEqual([db_operation_name, 0]);
    expect(more("db_client_connection_wait_time_seconds_count")).toBeGreaterThan(3);
    expect(sumOf(after, "db_client_connection_max")).toBe(host.deps?.db.pool.options.max);
    expect(sumOf(after, "db_client_connection_count")).toBe(host.deps?.db.pool.totalCount);
  });
});

describe("a worker", () => {
  it("METRIC-4 shows what it alone counted on a port of its own, and nothing without one", async () => {
    const host = await openHost("hono");
    const till = await openTill(host);
    if (host.deps === undefined) throw new Error("in process only");
    const { engine, modules, config } = host.deps;
    const port = await freePort();
    const parts = {
      db: engine.db,
      log: createLog("silent"),
      config: { metricsToken: undefined, listenHost: undefined },
    };
    const metrics = await startMetricsPort({ port, variable: "WORKER_METRICS_PORT" }, parts);
    const read = async (): Promise<Sample[]> =>
      readSamples(await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text());
    const before = await read();
    await host.faults({ timeout_before: 1 });
    const lost = await till.post("/payments", payment());
    await host.faults({ timeout_before: 0 });
    expect(lost.status).toBe(504);
    await till.post("/payments", payment());
    // Long expired, without a body, and with nothing left to deliver: metadata past its retention.
    const old = await till.post("/accounts", { accountId: "acc_old", currency: "EUR" });
    await host.rows("delete from onceboard.outbox_messages where operation_id = $1", old.headers["operation-id"]);
    await host.rows(
      `update onceboard.idempotency_requests
       set state = 'EXPIRED', expires_at = '2000-01-01', purge_after = '2000-01-01', body_purged_at = '2000-01-01' where operation_id = $1`,
      old.headers["operation-id"],
    );
    const worker: Worker = startWorker(
      { engine, modules, config: { ...config, workerIntervalMs: 20 } },
      { address: host.url },
    );
    try {
      const more = async (metric: string, labels = {}) =>
        sumOf(await read(), metric, labels) - sumOf(before, metric, labels);
      const limit = { timeout: 20_000 };
      await expect.poll(() => more("recovery_takeovers_total"), limit).toBeGreaterThan(0);
      await expect
        .poll(() => more("messaging_client_sent_messages_total", { outcome: "acknowledged" }), limit)
        .toBeGreaterThan(0);
      await expect
        .poll(() => more("messaging_client_consumed_messages_total", { outcome: "processed" }), limit)
        .toBeGreaterThan(0);
      await expect.poll(() => more("purge_rows_total", { kind: "requests" }), limit).toBe(1);
      const other = await fetch(`http://127.0.0.1:${String(port)}/`);
      expect(other.status).toBe(404);
    } finally {
      await worker.stop();
      await metrics.stop();
      await host.close();
    }
    await expect(fetch(`http://127.0.0.1:${String(port)}/metrics`)).rejects.toThrow();
    await (await startMetricsPort({ port: undefined, variable: "WORKER_METRICS_PORT" }, parts)).stop();
  });
});

describe("METRIC-7 the metrics are for whoever may read them", () => {
  const readMetrics = (host: TestHost, ...headers: readonly (readonly [string, string])[]) =>
    host.call({ path: "/api/metrics", headers: [["accept", "*/*"], ...headers] });

  it.each(IN_PROCESS)("%s shows them to the token alone", async (name) => {
    const host = await openHost(name);
    try {
      const wrong = ["", "Bearer", "Bearer ", `Bearer ${METRICS_TOKEN}x`, METRICS_TOKEN, `Basic ${METRICS_TOKEN}`];
      for (const value of wrong) {
        const { status, json, text } = await readMetrics(host, ["authorization", value]);
        expect([value, status, json?.["code"]]).toEqual([value, 401, "metrics.token"]);
        expect(text).not.toContain(METRICS_TOKEN);
      }
      expect((await readMetrics(host)).status).toBe(401);
      const admin = await host.key(["admin"]);
      expect((await readMetrics(host, ["authorization", `Bearer ${admin}`])).status).toBe(401);
      expect((await readMetrics(host, ["authorization", `Bearer ${METRICS_TOKEN}`])).status).toBe(200);
    } finally {
      await host.close();
    }
  });

  it("without a token shows them at no address of the API, and on a port of their own", async () => {
    const host = await openHost("hono", { env: { METRICS_TOKEN: "" } });
    try {
      const closed = await readMetrics(host, ["authorization", "Bearer "]);
      expect([closed.status, closed.json?.["code"]]).toEqual([403, "metrics.closed"]);
      if (host.deps === undefined) throw new Error("in process only");
      const port = await freePort();
      const place = { port, variable: "METRICS_PORT" } as const;
      const url = `http://127.0.0.1:${String(port)}/metrics`;
      const open = await startMetricsPort(place, host.deps, createMetrics(host.deps));
      const { status, text } = await fetch(url).then(async (answer) => ({
        status: answer.status,
        text: await answer.text(),
      }));
      expect(status).toBe(200);
      expect(text).toContain("database_up 1");
      await open.stop();
      const config = { metricsToken: METRICS_TOKEN, listenHost: "127.0.0.1" };
      const guarded = await startMetricsPort(place, { ...host.deps, config });
      expect((await fetch(url)).status).toBe(401);
      expect((await fetch(url, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).status).toBe(200);
      await guarded.stop();
    } finally {
      await host.close();
    }
  });
});
