import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineContext, type EngineContext } from "@/engine/context";
import { everyTopic, through } from "@/engine/testing/transports";
import { createHttpTransport, ownInbox } from "@/engine/outbox/transports/http";
import { relay } from "@/engine/outbox/relay";
import { fires, metricsIn, readAlertRules, type AlertRule, type Scrapes } from "@/http/testing/alert-rules";
import { makeKeyPair, signingKeyOf } from "@/engine/audit/signing-key";
import type { CheckpointSink } from "@/engine/audit/sinks/sink";
import { createWitness } from "@/engine/audit/witness";
import { createLog } from "@/engine/telemetry/log";
import { openHost, type TestHost } from "@/http/testing/host";
import { readSamples, sumOf, type Sample } from "@/http/testing/scrape";
import { openTill, payment, type Till } from "@/http/testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

const RULES = readAlertRules();
/** Rules that a test below has seen fire. */
const proven = new Set<string>();

let host: TestHost;
let till: Till;
let ctx: EngineContext;
beforeAll(async () => {
  host = await openHost("hono");
  till = await openTill(host);
  if (host.deps === undefined) throw new Error("in process only");
  const actor = { kind: "system", id: "test", name: "test" } as const;
  ctx = engineContext(host.deps.engine, { tenantId: host.tenant, actor, requestId: "test" });
});
afterAll(() => host.close());

const scrape = async (of: TestHost = host): Promise<Sample[]> =>
  readSamples((await of.call({ path: "/api/metrics" })).text);
const now = (): number => Date.now() / 1_000;
/** The gauges are read from the database every few seconds only: waits for a scrape that shows the fault. */
async function scrapeUntil(seen: (samples: Sample[]) => boolean, of: TestHost = host): Promise<Sample[]> {
  let last: Sample[] = [];
  await expect.poll(async () => seen((last = await scrape(of))), { timeout: 20_000, interval: 200 }).toBe(true);
  return last;
}
function expectFires(names: readonly string[], scrapes: Scrapes): void {
  const quiet: Scrapes = { ...scrapes, after: scrapes.before };
  for (const name of names) {
    const rule = RULES.find((known) => known.name === name);
    if (rule === undefined) throw new Error(`no rule ${name}`);
    expect([name, fires(rule, quiet)]).toEqual([name, false]);
    expect([name, fires(rule, scrapes)]).toEqual([name, true]);
    proven.add(name);
  }
}
const beat = (loop: string) =>
  host.rows(
    "insert into onceboard.worker_heartbeats (loop, instance, at, interval_ms) values ($1, 'test', clock_timestamp(), 1000)",
    loop,
  );

describe("docs/alerts.yml", () => {
  it("METRIC-5 names only metrics that are scraped", async () => {
    await beat("recover");
    await beat("relay");
    await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
    const samples = await scrapeUntil((all) => sumOf(all, "worker_last_success_timestamp_seconds") > 0);
    const names = new Set(samples.map((sample) => sample.name));
    const missing = (rule: AlertRule) => metricsIn(rule).filter((name) => !names.has(name));
    expect(RULES.length).toBeGreaterThanOrEqual(12);
    expect(RULES.flatMap((rule) => [metricsIn(rule).length > 0 ? [] : [rule.name], missing(rule)]).flat()).toEqual([]);
  });

  it("METRIC-5 fires for a reused key, a retry after its window, a fenced owner and outcomes that become unknown", async () => {
    const before = await scrape();
    const [key, late] = [randomUUID(), randomUUID()];
    const body = payment();
    await till.post("/payments", body, { key });
    await till.post("/payments", { ...body, amount: "11.00" }, { key });
    await till.post("/accounts", { accountId: "acc_late", currency: "EUR" }, { key: late });
    await host.rows("update onceboard.idempotency_requests set expires_at = '2000-01-01' where key = $1", late);
    await till.post("/accounts", { accountId: "acc_late", currency: "EUR" }, { key: late });
    await host.faults({ timeout_after_accept: 1 });
    await Promise.all([1, 2, 3].map(() => till.post("/payments", payment())));
    await host.faults({ timeout_after_accept: 0, slow_ms: 1_000 });
    const slow = randomUUID();
    const paused = till.post("/payments", payment(), { key: slow });
    const sent = () =>
      host.rows("select 1 from onceboard.idempotency_open where key = $1 and stage = 'PROVIDER_REQUEST_SENT'", slow);
    await expect.poll(sent, { timeout: 10_000, interval: 20 }).toHaveLength(1);
    // Somebody takes it over while its owner waits for the provider.
    await host.rows("update onceboard.idempotency_open set locked_until = '2000-01-01' where key = $1", slow);
    await host.rows(
      "select onceboard.take_over($1, 'another', 30000, 1, (select operation_id from onceboard.idempotency_open where key = $2))",
      host.tenant,
      slow,
    );
    expect((await paused).status).toBe(409);
    await host.faults({ slow_ms: 0 });
    const rules = ["IdempotencyKeyReused", "RetryAfterWindow", "OutcomesBecomeUnknown", "LateOwnerFenced"];
    expectFires(rules, { before, after: await scrape(), now: now() });
  });

  it("METRIC-5 fires for what stays open, waits too long or died, for workers that stopped and for days that run out", async () => {
    const before = await scrapeUntil((all) => sumOf(all, "idempotency_unknown") > 0);
    const paid = (answer: CheckedAnswer): string => String(answer.headers["operation-id"]);
    const [dead, arrived, waiting] = [
      paid(await till.post("/payments", payment())),
      paid(await till.post("/payments", payment())),
      paid(await till.post("/payments", payment())),
    ];
    const hold = (operations: readonly string[], at: string) =>
      host.rows(
        `update onceboard.outbox_messages set next_attempt_at = ${at} where operation_id = any($1)`,
        operations,
      );
    // One is refused for good, one arrives and is not handled, one is not even sent.
    await host.rows("delete from onceboard.outbox_messages where not (operation_id = any($1))", [
      dead,
      arrived,
      waiting,
    ]);
    await hold([arrived, waiting], "'infinity'");
    const refuse = through(() => ({ kind: "rejected", code: "delivery.refused", reason: "no" }));
    expect(await relay(ctx, refuse)).toMatchObject({ dead: 1 });
    await hold([arrived], "clock_timestamp()");
    const transport = everyTopic(createHttpTransport({ destination: ownInbox(host.url) }));
    expect(await relay(ctx, transport)).toMatchObject({ published: 1 });
    await host.rows("update onceboard.outbox_messages set created_at = clock_timestamp() - interval '2 minutes'");
    await host.rows("update onceboard.inbox_open set received_at = clock_timestamp() - interval '2 minutes'");
    // Owners that died long ago, one before and others after the provider was asked.
    await host.rows("update onceboard.idempotency_open set unknown_since = clock_timestamp() - interval '6 minutes'");
    await host.rows(
      `update onceboard.idempotency_open set unknown_since = null, opened_at = clock_timestamp() - interval '3 minutes'
       where operation_id = (select operation_id from onceboard.idempotency_open limit 1)`,
    );
    await host.rows("update onceboard.worker_heartbeats set at = clock_timestamp() - interval '6 minutes'");
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
    const days = await host.rows<{ name: string }>(
      "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'onceboard.outbox_history'::regclass",
    );
    const later = days.map(({ name }) => name).filter((name) => name > `outbox_history_${tomorrow}`);
    expect(later.length).toBeGreaterThan(2);
    for (const name of later) await host.rows(`drop table onceboard.${name}`);
    const after = await scrapeUntil((all) => sumOf(all, "dead_letter_count") > 0);
    const rules = [
      "OperationStuckInProgress",
      "OutcomeUnknown",
      "OutboxLag",
      "InboxLag",
      "DeadLetters",
      "RecoveryNotRunning",
      "WorkerLoopFailing",
      "PartitionsRunOut",
    ];
    expectFires(rules, { before, after, now: now() });
  });

  it("a loop that beats but fails counts as not running, and one that is gone as missing", async () => {
    const before = await scrape();
    await host.rows("update onceboard.worker_heartbeats set at = clock_timestamp(), error = 'no such table'");
    const relayAt = (all: readonly Sample[]) => sumOf(all, "worker_last_success_timestamp_seconds", { loop: "relay" });
    await beat("consume");
    const failing = await scrapeUntil(
      (all) => sumOf(all, "worker_last_success_timestamp_seconds", { loop: "consume" }) > 0,
    );
    expect(relayAt(failing)).toBe(relayAt(before));
    await host.rows("delete from onceboard.worker_heartbeats where loop = 'recover'");
    const after = await scrapeUntil(
      (all) => sumOf(all, "worker_last_success_timestamp_seconds", { loop: "recover" }) === 0,
    );
    expectFires(["RecoveryMissing"], { before, after, now: now() });
  });

  it("fires when requests wait for a connection, and when they wait in vain", async () => {
    const pool = host.deps?.db.pool;
    if (pool === undefined) throw new Error("in process only");
    // Callers of one key share the look-up of their key, so each has its own.
    const tills = await Promise.all(Array.from({ length: 8 }, () => openTill(host)));
    const before = await scrape();
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    try {
      const refused = tills.map((each) => each.post("/payments", payment()));
      await expect.poll(() => pool.waitingCount, { timeout: 4_000, interval: 20 }).toBeGreaterThan(5);
      expectFires(["PoolWaiting"], { before, after: await scrape(), now: now() });
      const statuses = (await Promise.all(refused)).map(({ status }) => status);
      expect(statuses).toEqual(Array(8).fill(503));
    } finally {
      for (const client of held) client.release();
    }
    expectFires(["PoolTimeouts", "ServerErrors"], { before, after: await scrape(), now: now() });
  });

  it("fires when the database is away, and when the evidence of answers had to be given up", async () => {
    const cut = await openHost("hono", { relayed: true });
    try {
      const before = await scrapeUntil((all) => sumOf(all, "database_up") === 1, cut);
      await cut.cutDatabase();
      const event = { tenantId: cut.tenant, operationId: uuidv7(), operation: "payments.create", type: "replayed" };
      const at = new Date().toISOString();
      for (let count = 0; count <= 5_000; count += 1) cut.deps?.answers.add({ ...event, id: uuidv7(), at });
      const after = await scrapeUntil((all) => sumOf(all, "database_up") === 0, cut);
      expectFires(["DatabaseAway", "EvidenceLost"], { before, after, now: now() });
    } finally {
      await cut.close();
    }
  });

  it("AUDIT-3 fires for a chain that a worker finds broken, for entries that wait too long, and for a place that takes none", async () => {
    const db = host.deps?.db.pool;
    if (db === undefined) throw new Error("in process only");
    const [chain, key] = [host.tenant, signingKeyOf(makeKeyPair().privatePem, "of this test")];
    const keys = new Map([[key.id, key.publicKey]]);
    const nowhere: CheckpointSink = {
      name: "nowhere",
      append: () => Promise.reject(new Error("no space left")),
      close: () => Promise.resolve(),
    };
    const log = createLog("silent");
    const witness = createWitness({ db, key, keys, sinks: [nowhere], everyMs: 0, log });
    const write = () =>
      host.rows(
        `select onceboard.append_audit($1, gen_random_uuid(), 'operator', 'op', 'Op', 'operations.resolve', 'operation', 'x', 'why', null, '{}', null, 'r')`,
        chain,
      );
    await write();
    await witness.turn({ always: true });
    const before = await scrape();
    await host.rows("update onceboard.audit_sinks set failing_since = clock_timestamp() - interval '6 minutes'");
    await write();
    expect(await witness.turn({ always: true })).toMatchObject({ broken: 1 });
    await host.rows("update onceboard.audit_entries set at = at - interval '1 hour' where tenant_id = $1", chain);
    const after = await scrapeUntil((all) => sumOf(all, "audit_chains_broken") > 0);
    const rules = ["AuditChainBroken", "AuditTampered", "AuditNotCovered", "AuditSinkFailing"];
    expectFires(rules, { before, after, now: now() });
  });

  it("every rule has been seen firing", () => {
    expect(RULES.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([]);
  });
});
