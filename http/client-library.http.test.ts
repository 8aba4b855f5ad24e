import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startFaultProxy, type FaultProxy, type ProxyRates } from "@/demo/faults/fault-proxy";
import {
  AnswerGoneError,
  AuthError,
  ConflictError,
  createClient,
  createMemoryStore,
  KeyExpiredError,
  OnceboardError,
  OutcomeUnknownError,
  RefusedError,
  retryLogCsv,
  type AttemptRecord,
  type ClientOptions,
  type OnceboardClient,
  type Payment,
} from "../client/index";
import { WIRE_PROFILES, type WireProfile } from "@/domain/access/permission";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { payment } from "./testing/till";

/** The same contract, ten times as fast. */
const QUICK = { baseMs: 10, capMs: 200, attemptTimeoutMs: 5_000, budgetMs: 20_000 };
const PATIENT = { ...QUICK, budgetMs: 60_000 };
type Pay = Parameters<OnceboardClient["payments"]["create"]>[0];
const newPayment = (fields: Readonly<Record<string, unknown>> = {}): Pay => payment(fields) as unknown as Pay;
const failure = async (work: Promise<unknown>): Promise<OnceboardError> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof OnceboardError) return error;
  throw new Error("it did not fail as it should", { cause: error });
};

describe.each(HOSTS)("the client library against %s", (name) => {
  let host: TestHost;
  let apiKey: string;
  const closing: { close(): unknown }[] = [];
  beforeAll(async () => {
    host = await openHost(name);
    apiKey = await host.key(["payments", "accounts"]);
  });
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
    await host.faults({ timeout_after_accept: 0, slow_ms: 0, down: 0 });
  });
  afterAll(() => host.close());

  const client = (options: Partial<ClientOptions> = {}): OnceboardClient =>
    createClient({ baseUrl: host.url, apiKey, schedule: QUICK, ...options });
  async function behindProxy(rates: Partial<ProxyRates>, random?: () => number): Promise<FaultProxy> {
    const proxy = await startFaultProxy({
      target: host.url,
      port: 0,
      rates,
      delayMs: 30,
      ...(random ? { random } : {}),
    });
    closing.push(proxy);
    return proxy;
  }
  /** A proxy of another making: does what it is told with the first requests, and passes the others on. */
  async function behindFront(
    script: ((incoming: IncomingMessage, outgoing: ServerResponse) => void)[],
  ): Promise<string> {
    const front: Server = createServer((incoming, outgoing) => {
      const act = script.shift();
      if (act) act(incoming, outgoing);
      else passOn(host.url, incoming, outgoing);
    });
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
    closing.push({
      close: () => {
        front.closeAllConnections();
        front.close();
      },
    });
    return `http://127.0.0.1:${String((front.address() as AddressInfo).port)}`;
  }
  const paymentsOf = (references: readonly unknown[]): Promise<{ id: string }[]> =>
    host.rows(
      "select id from payments.payments where tenant_id = $1 and merchant_reference = any($2) and status = 'succeeded'",
      host.tenant,
      references,
    );

  /** Asks the provider, as an operator does. */
  async function reconcile(key: string | undefined): Promise<void> {
    const [open] = await host.rows<{ operation_id: string }>(
      "select operation_id from onceboard.idempotency_open where tenant_id = $1 and key = $2",
      host.tenant,
      key,
    );
    if (open === undefined) return;
    const admin = client({ apiKey: await host.key(["admin"]), schedule: PATIENT });
    await admin.post(`/admin/operations/${open.operation_id}/reconcile`, {});
  }

  it("KEY-2 CLIENT-3 a network that loses a third of everything: one payment for each action, and nothing pending", async () => {
    const proxy = await behindProxy({ cutBefore: 0.15, cutAfter: 0.2, delay: 0.1 });
    const store = createMemoryStore();
    const log: AttemptRecord[] = [];
    const caller = client({ baseUrl: proxy.url, store, onAttempt: (record) => log.push(record) });
    const inputs = Array.from({ length: 40 }, () => newPayment());
    const ended = await Promise.allSettled(inputs.map((input) => caller.payments.create(input)));
    // What a busy machine made unknown is pending, and resumed once the provider was asked.
    const failed = ended.flatMap((one) => (one.status === "rejected" ? [one.reason as OnceboardError] : []));
    for (const { key } of failed) await reconcile(key);
    const resumed = failed.length > 0 ? await client({ store }).resume() : [];
    const succeeded = [
      ...ended.flatMap((one) => (one.status === "fulfilled" ? [one.value.body.paymentId] : [])),
      ...resumed.flatMap((one) => (one.ok ? [(one.answer.body as Payment).paymentId] : [])),
    ];
    // A success is one payment, and a payment is one success, unless its caller still knows that it does not know.
    const pending = await store.list();
    const made = await paymentsOf(inputs.map((input) => input.merchantReference));
    expect(new Set(succeeded).size).toBe(succeeded.length);
    expect(made.map(({ id }) => id)).toEqual(expect.arrayContaining(succeeded));
    expect(made.length - succeeded.length).toBeLessThanOrEqual(pending.length);
    expect(succeeded.length).toBeGreaterThan(20);
    const found = new Set(
      [...failed, ...resumed.flatMap((one) => (one.ok ? [] : [one.error]))].flatMap(({ key }) => key ?? []),
    );
    expect(pending.every(({ key }) => found.has(key))).toBe(true);
    const { cutBefore, cutAfter } = proxy.counts();
    expect(cutBefore + cutAfter).toBeGreaterThan(0);
    // On a busy machine a caller may have gone before its connection is cut.
    const unanswered = log.filter(({ code }) => code === undefined);
    expect(unanswered.length).toBeGreaterThanOrEqual(cutBefore + cutAfter);
  });

  it("PAYMENT-5 a refund whose answers are lost is one refund", async () => {
    const { body: paid } = await client().payments.create(newPayment());
    let lost = 0;
    const proxy = await behindProxy({ cutAfter: 0.5 }, () => ((lost += 1) <= 2 ? 0 : 0.9));
    const { body, replayed, attempts } = await client({ baseUrl: proxy.url }).refunds.create(
      { paymentId: paid.paymentId, amount: 400 },
      { action: "refund-1" },
    );
    expect([replayed, attempts.map(({ status }) => status)]).toEqual([true, ["network", "network", "200"]]);
    expect(
      await host.rows(
        "select id from payments.refunds where tenant_id = $1 and payment_id = $2",
        host.tenant,
        paid.paymentId,
      ),
    ).toEqual([{ id: body.refundId }]);
  });

  it("CLIENT-9 reproduces the published retry log: a timeout, a proxy's error, a success", async () => {
    const waits = [137, 281];
    const baseUrl = await behindFront([
      () => undefined,
      (incoming, outgoing) => {
        incoming.resume();
        outgoing.writeHead(502, { "content-type": "text/html" }).end("<html>Bad Gateway");
      },
    ]);
    let drawn = 0;
    const random = (): number => {
      const step = 100 * 2 ** drawn;
      return ((waits[drawn++] ?? 0) - step) / step;
    };
    const caller = client({ baseUrl, random, schedule: { attemptTimeoutMs: 400 } });
    const { attempts, key } = await caller.payments.create(newPayment());
    // The first two of the published rows never reach a server; the third is the one that it knows.
    expect(retryLogCsv(attempts)).toBe(
      "attempt,delay_ms,status,code,notes\n1,0,timeout,,initial timeout\n2,137,5xx,502,proxy error\n3,281,200,201,success\n",
    );
    const admin = await host.key(["admin"]);
    const seen = await host.call({
      path: `/api/v1/admin/exports/retry-log?key=${key}`,
      headers: [["authorization", `Bearer ${admin}`]],
    });
    expect(seen.text).toBe("attempt,delay_ms,status,code,notes\r\n1,0,200,201,success\r\n");
  });

  it.each(WIRE_PROFILES)("CLIENT-4 tells one thing from another in the profile %s", async (profile: WireProfile) => {
    const dressed = client({ apiKey: await host.key(["payments"], { profile, name: `till-${profile}` }) });
    const input = newPayment();
    const { key } = await dressed.payments.create(input);
    expect((await dressed.payments.create(input, { key })).replayed).toBe(true);
    const conflict = await failure(dressed.payments.create({ ...input, amount: "11.00" }, { key }));
    expect([conflict instanceof ConflictError, conflict.attempts.length, conflict.pending]).toEqual([true, 1, false]);
    const declined = await failure(dressed.payments.create(newPayment({ amount: "10.51" })));
    expect([declined instanceof RefusedError, declined.status, declined.pending]).toEqual([true, 402, false]);
    const malformed = await failure(dressed.payments.create(newPayment({ amount: "ten" })));
    expect([malformed instanceof RefusedError, malformed.attempts.length, malformed.pending]).toEqual([true, 1, false]);
    await host.rows(
      "update onceboard.idempotency_requests set expires_at = now() - interval '1 second' where tenant_id = $1 and key = $2",
      host.tenant,
      key,
    );
    const expired = await failure(dressed.payments.create(input, { key }));
    expect([expired instanceof KeyExpiredError, expired.attempts.length, expired.pending]).toEqual([true, 1, true]);
    expect(expired.message).toContain(`Look at operation ${String(expired.operationId)} before a new key is used.`);
    expect(await paymentsOf([input.merchantReference])).toHaveLength(1);
  });

  it("CLIENT-6 waits for the first request of its key, in every profile", async () => {
    await host.faults({ slow_ms: 1_000 });
    await Promise.all(
      WIRE_PROFILES.map(async (profile) => {
        const caller = client({ apiKey: await host.key(["payments"], { profile, name: `waiting-${profile}` }) });
        const input = newPayment();
        const both = await Promise.all([1, 2].map(() => caller.payments.create(input, { key: `twice-${profile}` })));
        expect(both[0]?.body).toEqual(both[1]?.body);
        expect(both.filter(({ replayed }) => replayed)).toHaveLength(1);
        expect(both.flatMap(({ attempts }) => attempts.map(({ notes }) => notes))).toContain("idempotency.in_progress");
        expect(await paymentsOf([input.merchantReference])).toHaveLength(1);
      }),
    );
  });

  it("CLIENT-6 follows 202 to the answer where the policy accepts", async () => {
    // A tenant that no process has a policy of yet.
    const tenant = host.otherTenant;
    const admin = client({ apiKey: await host.key(["admin"], { tenant }) });
    const decision = { overrides: { inFlight: "accepted" }, expectedVersion: 0, reason: "callers poll" };
    await admin.post("/admin/policies/payments.create", decision);
    const theirs = await host.key(["payments"], { tenant });
    await host.faults({ slow_ms: 1_200 });
    const input = newPayment();
    const paths: string[] = [];
    const watched: typeof fetch = (url, init) => {
      paths.push(
        `${init?.method ?? ""} ${new URL(url instanceof Request ? url.url : url).pathname.replace(/[0-9a-f-]{36}/, "{id}")}`,
      );
      return fetch(url, init);
    };
    const first = client({ apiKey: theirs }).payments.create(input, { key: "accepted-1" });
    await expect
      .poll(() =>
        host.rows("select 1 from onceboard.idempotency_open where tenant_id = $1 and key = 'accepted-1'", tenant),
      )
      .toHaveLength(1);
    const second = await client({ apiKey: theirs, fetch: watched }).payments.create(input, { key: "accepted-1" });
    expect(second.body).toEqual((await first).body);
    expect(second.replayed).toBe(true);
    expect(second.attempts[0]).toMatchObject({ code: 202, notes: "accepted" });
    expect(paths[1]).toBe("GET /api/v1/operations/{id}");
    expect([paths[0], paths.at(-1)]).toEqual(["POST /api/v1/payments", "POST /api/v1/payments"]);
  });

  it("CLIENT-5 keeps the key of an unknown outcome, and goes on with it", async () => {
    await host.faults({ timeout_after_accept: 1 });
    const store = createMemoryStore();
    const input = newPayment();
    const brief = client({ store, schedule: { ...QUICK, budgetMs: 1_800 } });
    const error = await failure(brief.payments.create(input, { action: "order-9" }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.pending).toBe(true);
    await host.faults({ timeout_after_accept: 0 });
    const [operation] = await host.rows<{ operation_id: string; state: string }>(
      "select operation_id, state from onceboard.idempotency_requests where tenant_id = $1 and key = $2",
      host.tenant,
      error.key,
    );
    expect(operation?.state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    const { body: found } = await client().operations.status(operation?.operation_id ?? "");
    expect([found.state, found.retry.sameKey]).toEqual(["UNKNOWN_REQUIRES_RECOVERY", "wait"]);
    await reconcile(error.key);
    const [resumed] = await client({ store }).resume();
    expect(resumed).toMatchObject({ ok: true, answer: { status: 201, replayed: true, key: error.key } });
    expect(await paymentsOf([input.merchantReference])).toHaveLength(1);
    expect(await store.list()).toEqual([]);
  });

  it("says of a purged answer that it ran, and of a wrong API key nothing at all", async () => {
    const input = newPayment();
    const { key, operationId } = await client().payments.create(input);
    const admin = client({ apiKey: await host.key(["admin"]) });
    await admin.post(`/admin/operations/${operationId ?? ""}/purge-body`, { reason: "asked for" });
    const gone = await failure(client().payments.create(input, { key }));
    expect([gone instanceof AnswerGoneError, gone.operationId, gone.pending]).toEqual([true, operationId, false]);
    const store = createMemoryStore();
    const refused = await failure(client({ apiKey: "ob_wrong", store }).payments.create(input));
    expect([refused instanceof AuthError, refused.attempts.length, (await store.list()).length]).toEqual([true, 1, 1]);
    // The same action goes on once the key is right.
    expect(await client({ store }).resume()).toMatchObject([
      { ok: false, error: { code: "payment.duplicate_reference" } },
    ]);
  });

  it("MESH-9 speaks to the mesh under the same key", async () => {
    const call = (amount: string) => ({
      protocol: { name: "mesh", version: "0.1.0" },
      id: "req_1",
      call: {
        function: "payments.charge",
        version: "1",
        arguments: newPayment({ amount, merchantReference: "mesh-1" }),
      },
      extensions: [{ urn: "urn:mesh:ext:idempotency", options: { key: "mesh-key-1" } }],
    });
    const first = await client().post<{ result: { charge_id: string } }>("/mesh", call("10.00"), { key: "mesh-key-1" });
    expect(first.body.result.charge_id).toMatch(/^[0-9a-f-]{36}$/);
    const again = await client().post<{ result: { charge_id: string } }>("/mesh", call("10.00"), { key: "mesh-key-1" });
    expect(again.body.result.charge_id).toBe(first.body.result.charge_id);
    const other = await failure(client().post("/mesh", call("11.00"), { key: "mesh-key-1" }));
    expect([other instanceof ConflictError, other.attempts.length]).toEqual([true, 1]);
  });
});

function passOn(base: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = "/", headers } = incoming;
  const sent = request(new URL(url, base), { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(sent);
}
