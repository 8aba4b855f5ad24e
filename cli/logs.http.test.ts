import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "@/engine/telemetry/log";
import { openHost, type TestHost, type HostName } from "@/http/testing/host";
import { openTill, payment, tillOf, type Till } from "@/http/testing/till";
import { webhookSecret } from "@/tests/support/providers";
import { startWorker } from "@/worker/main";

type Line = Readonly<Record<string, unknown>>;

/** In process only: a served build writes its lines to its own standard error. */
const IN_PROCESS: readonly HostName[] = ["hono", "mounted"];
/** The fields that every line about a request has. */
const ANSWERED = [
  "attempt",
  "from_state",
  "idempotency_key_hash",
  "latency_ms",
  "operation",
  "operation_id",
  "outcome",
  "payload_hash",
  "request_id",
  "status",
  "tenant",
  "to_state",
];
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

/** Lines of one host and of the worker beside it. */
function collector(): { write(line: string): void; readonly text: () => string; readonly lines: () => Line[] } {
  const written: string[] = [];
  return {
    write: (line) => void written.push(line),
    text: () => written.join(""),
    lines: () => written.map((line) => JSON.parse(line) as Line),
  };
}

describe.each(IN_PROCESS)("the log of %s and its worker", (name) => {
  const out = collector();
  let host: TestHost;
  let till: Till;
  /** Everything that must never be written, by what it is. */
  const canaries: Record<string, string> = {};
  const canary = (
    what: string,
    text = `canary-${what.replaceAll(/\W/g, "-")}-${randomBytes(8).toString("hex")}`,
  ): string => (canaries[what] = text);
  const answered = (outcome: string): Line | undefined =>
    out.lines().findLast((line) => line["msg"] === "answered" && line["outcome"] === outcome);
  const key = (): string => canary(`key ${String(Object.keys(canaries).length)}`);

  beforeAll(async () => {
    host = await openHost(name, { lines: out });
    till = await openTill(host);
    canary("api key", till.apiKey);
    canary("api key's secret", till.apiKey.slice(-24));
    canary("secret", host.secret);
    canary("provider's webhook secret", webhookSecret(host.secret, "provider"));
    canary("encryption keys", host.deps?.config.encryptionKeys);
    const { password } = new URL(host.deps?.config.databaseUrl ?? "");
    if (password !== "") canary("database password", password);
  });
  afterAll(() => host.close());

  const accountId = canary("account", `acc_canary${randomBytes(6).toString("hex")}`);
  const body = (fields: Record<string, unknown> = {}) => ({
    ...payment({ accountId, merchantReference: canary("reference", `ref-canary-${randomUUID()}`) }),
    ...fields,
  });

  it("LOG-1 says of a first request and of its replay what the contract asks, under one hash", async () => {
    const once = key();
    const command = body();
    const trace: [string, string] = ["traceparent", `00-${TRACE}-00f067aa0ba902b7-01`];
    const first = await till.post("/payments", command, { key: once, headers: [trace] });
    const created = answered("created");
    expect(Object.keys(created ?? {})).toEqual(expect.arrayContaining(ANSWERED));
    expect(created).toMatchObject({
      operation: "payments.create",
      operation_id: first.headers["operation-id"],
      request_id: first.headers["request-id"],
      trace_id: TRACE,
      status: 201,
      attempt: 1,
      from_state: "NONE",
      to_state: "COMPLETED",
    });
    // Also while nobody exports spans, the caller's trace goes on with the message.
    const kept =
      "select headers ->> 'traceparent' as traceparent from onceboard.outbox_messages where operation_id = $1";
    expect(await host.rows(kept, first.headers["operation-id"])).toEqual([{ traceparent: trace[1] }]);
    expect(created?.["idempotency_key_hash"]).toMatch(/^[0-9a-f]{16}$/);
    expect(created?.["payload_hash"]).toMatch(/^[0-9a-f]{16}$/);
    await till.post("/payments", command, { key: once });
    const replayed = answered("replayed");
    expect(replayed).toMatchObject({ status: 201, from_state: "COMPLETED", to_state: "COMPLETED" });
    for (const field of ["idempotency_key_hash", "payload_hash", "operation_id"])
      expect(replayed?.[field]).toBe(created?.[field]);
    await till.post("/payments", { ...command, amount: "7.31" }, { key: once });
    const conflict = answered("conflict");
    expect(conflict).toMatchObject({ status: 409, error_code: "idempotency.payload_mismatch" });
    expect(conflict?.["idempotency_key_hash"]).toBe(created?.["idempotency_key_hash"]);
    expect(conflict?.["payload_hash"]).not.toBe(created?.["payload_hash"]);
  });

  it("the hash is keyed by deployment and tenant", () => {
    const [mine, other] = [createLog("silent", {}, { secret: host.secret }), createLog("silent", {}, { secret: "x" })];
    const hash = mine.keyHash("acme", "k");
    expect([mine.keyHash("acme", "k"), host.deps?.log.keyHash("acme", "k")]).toEqual([hash, hash]);
    expect(new Set([hash, mine.keyHash("globex", "k"), other.keyHash("acme", "k")]).size).toBe(3);
  });

  it("LOG-1 says of every other answer what it was, and of a local operation too", async () => {
    await till.post("/accounts", { accountId, currency: "EUR" }, { key: key() });
    expect(answered("created")).toMatchObject({ operation: "accounts.create", status: 201, to_state: "COMPLETED" });
    await till.post("/payments", body({ amount: "10.51" }), { key: key() });
    expect(answered("failed")).toMatchObject({
      status: 402,
      error_code: "payment.insufficient_funds",
      to_state: "FAILED_REPLAYABLE",
    });
    const late = key();
    const command = body();
    await till.post("/payments", command, { key: late });
    await host.rows("update onceboard.idempotency_requests set expires_at = '2000-01-01' where key = $1", late);
    await till.post("/payments", command, { key: late });
    expect(answered("expired")).toMatchObject({ status: 410, error_code: "idempotency.key_expired" });
    await host.faults({ error_before: 1 });
    const again = key();
    await till.post("/payments", command, { key: again });
    await host.faults({ error_before: 0 });
    await host.faults({ timeout_after_accept: 1 });
    const unknown = await till.post("/payments", body(), { key: key() });
    await host.faults({ timeout_after_accept: 0 });
    expect(unknown.status).toBe(504);
    expect(answered("unknown")).toMatchObject({ status: 504, to_state: "UNKNOWN_REQUIRES_RECOVERY" });
  });

  it("LOG-2 says who moved an operation when no caller did: recovery, an operator, retention", async () => {
    if (host.deps === undefined) throw new Error("in process only");
    const admin = tillOf(host, canary("admin key", await host.key(["admin"])));
    await host.faults({ timeout_after_accept: 1 });
    const [forOperator, forWorker] = await Promise.all([
      till.post("/payments", body(), { key: key() }),
      till.post("/payments", body(), { key: key() }),
    ]);
    await host.faults({ timeout_after_accept: 0 });
    const moved = (how: string, operationId: unknown) =>
      out.lines().find((line) => line["msg"] === how && line["operation_id"] === operationId);
    const [resolved, reconciled] = [forOperator.headers["operation-id"], forWorker.headers["operation-id"]];
    const decision = { decision: "succeeded", evidence: [canary("evidence")], reason: canary("reason") };
    await admin.post(`/admin/operations/${String(resolved)}/resolve`, decision, { key: key() });
    const from = { from_state: "UNKNOWN_REQUIRES_RECOVERY", to_state: "COMPLETED", operation: "payments.create" };
    expect(moved("resolved", resolved)).toMatchObject(from);
    expect(answered("created")).toMatchObject({ operation: "admin.operations.resolve", to_state: "COMPLETED" });
    const { engine, modules, config } = host.deps;
    const worker = startWorker({ engine, modules, config: { ...config, workerIntervalMs: 20 } }, { address: host.url });
    try {
      await expect.poll(() => moved("reconciled", reconciled), { timeout: 20_000 }).toMatchObject(from);
      expect(moved("reconciled", reconciled)?.["idempotency_key_hash"]).toMatch(/^[0-9a-f]{16}$/);
      const expired = () => out.lines().find((line) => line["msg"] === "expired" && line["to_state"] === "EXPIRED");
      await expect.poll(expired, { timeout: 20_000 }).toMatchObject({ rows: 1 });
    } finally {
      await worker.stop();
    }
  });

  it("LOG-1 survives requests that fail in every way", async () => {
    const secret = canary("body value");
    const email = canary("e-mail", `${randomBytes(6).toString("hex")}@canary.example`);
    const post = (path: string, text: string, headers: readonly (readonly [string, string])[]) =>
      host.call({ method: "POST", path, headers: [["content-type", "application/json"], ...headers], body: text });
    const bearer = ["authorization", `Bearer ${till.apiKey}`] as const;
    const statuses = [
      (await till.post("/payments", body({ note: secret }), { key: key() })).status,
      (await till.post("/payments", body({ amount: secret }), { key: key() })).status,
      (await till.post("/payments", body(), { key: null })).status,
      (await till.post("/payments", body(), { key: `${key()}, ${key()}` })).status,
      (await post("/api/v1/payments", `{"accountId": "${secret}`, [bearer, ["idempotency-key", key()]])).status,
      (await post("/api/v1/payments", `\u0000${secret}`, [bearer, ["idempotency-key", key()]])).status,
      (await post("/api/v1/payments", "{}", [["authorization", `Bearer ${canary("wrong key")}`]])).status,
      (await post("/api/auth/sign-in/email", JSON.stringify({ email, password: secret }), [])).status,
      (await post("/api/v1/events/provider", JSON.stringify({ data: secret }), [["webhook-id", secret]])).status,
      (await till.get(`/accounts/${secret}`)).status,
      (await till.get(`/payments/${secret}?q=${secret}`)).status,
    ];
    expect(statuses.filter((status) => status < 400 || status === 500)).toEqual([]);
    // Recorded, and refused by its consumer: bytes of the event must not come back in the reason.
    const at = new Date();
    const event = JSON.stringify({
      type: "charge.succeeded",
      data: { account: secret, metadata: { tenant: host.tenant } },
    });
    const signature = new Webhook(webhookSecret(host.secret, "provider")).sign("evt_1", at, event);
    const arrived = await post(`/api/v1/events/provider?tenant=${host.tenant}`, event, [
      ["webhook-id", "evt_1"],
      ["webhook-timestamp", String(Math.floor(at.getTime() / 1_000))],
      ["webhook-signature", signature],
    ]);
    expect(arrived.status).toBe(202);
    // An error of the database itself, whose text and detail quote the row.
    await host.rows(
      "alter table payments.payments add constraint canary_refused check (account_id not like 'acc_canary%') not valid",
    );
    await till.post("/payments", body(), { key: key() });
    await host.rows("alter table payments.payments drop constraint canary_refused");
    const refused = out.lines().find((line) => JSON.stringify(line).includes("canary_refused"));
    expect(refused?.["err"]).toMatchObject({ code: "23514", table: "payments" });
    expect(JSON.stringify(refused)).not.toContain("Failing row");
    if (host.deps === undefined) throw new Error("in process only");
    const { engine, modules, config } = host.deps;
    // No destination, so the delivery of this one fails as well.
    expect((await till.post("/payments", body(), { key: key() })).status).toBe(201);
    const worker = startWorker(
      { engine, modules, config: { ...config, workerIntervalMs: 20 } },
      { address: `http://user:${secret}@127.0.0.1:1` },
    );
    const handled = () =>
      host.rows("select 1 from onceboard.inbox_messages where message_id = 'evt_1' and attempts_finished > 0");
    await expect.poll(handled, { timeout: 20_000 }).toHaveLength(1);
    const tried = () => host.rows("select 1 from onceboard.outbox_messages where attempts_finished > 0 limit 1");
    await expect.poll(tried, { timeout: 20_000 }).toHaveLength(1);
    await worker.stop();
    await host.deps.db.close();
    expect((await till.post("/payments", body(), { key: key() })).status).toBe(503);
    expect(out.lines().some((line) => line["level"] === 50)).toBe(true);
  });

  it("LOG-3 none of it holds a key, a secret, an account, a reference, an e-mail or a value of a body", () => {
    const text = out.text();
    expect(out.lines().length).toBeGreaterThan(15);
    expect(Object.keys(canaries).length).toBeGreaterThan(25);
    const found = Object.entries(canaries).filter(([, secret]) => text.includes(secret));
    expect(found).toEqual([]);
  });
});
