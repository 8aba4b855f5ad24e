import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { forgetApiKey } from "@/auth/api-keys/api-keys";
import { upsertOperator } from "@/auth/operators";
import { AUTH_ENDPOINTS, createAuth } from "@/auth/sessions";
import { recoverDue } from "@/engine/recover/recover-due";
import { engineContext } from "@/engine/context";
import { createHttpApp } from "./app";
import type { CheckedAnswer } from "./testing/contract";
import { openHost, type TestHost } from "./testing/host";
import { requireInProcess } from "./testing/in-process";
import { payment } from "./testing/till";

const PASSWORD = "correct horse battery";
const BUDGET_MS = 1_500;
/** What a busy machine may add, as a part of the budget. */
const MARGIN = 1;
/** Routes that are asked at once: all of them together would measure the machine. */
const AT_ONCE = 20;
const WITHIN_MS = 30_000;
const CONNECTIONS = 32;

interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Timed extends Wanted {
  readonly answer: CheckedAnswer;
  readonly tookMs: number;
}

/** Routes that tell what the process knows by itself, and with which status. */
const WITHOUT_DATABASE: ReadonlyMap<string, number> = new Map([
  ["GET /api/health/live", 200],
  ["GET /api/v1/openapi.json", 200],
  ["GET /api/v1/docs", 200],
  ["GET /api/v1/proof-keys", 200],
  // Says in itself that the database is away.
  // Nobody sends its token here.
  ["GET /api/metrics", 401],
  // No issuer is configured.
  ["POST /api/auth/sign-in/oidc", 404],
  ["GET /api/auth/oauth2/callback/oidc", 404],
]);

/** Texts of the statements that a standstill is named after. */
const TEXTS: Readonly<Record<string, string>> = {
  "claim\0": "onceboard.claim(",
  insert_payment: "insert into payments.payments",
  answer_and_confirm_provider: "as done, onceboard.answer_provider(",
  "complete\0": "onceboard.complete(",
};
/** What is sent of a prepared statement is its name; behind a pooler nothing is prepared, so its text is. */
const onTheWire = (statement: string): string =>
  process.env["DATABASE_POOLER_PORT_TEST"] === undefined ? statement : (TEXTS[statement] ?? statement);

describe("HTTP-5 a database that stands still", () => {
  let host: TestHost;
  let apiKey: string;
  let cookie = "";
  beforeAll(async () => {
    host = await openHost("hono", {
      relayed: true,
      env: { LEASE_SECONDS: "2" },
      limits: { admin: { perSecond: 10_000, burst: 10_000 } },
    });
    apiKey = await host.key(["payments", "accounts", "events"]);
    const auth = createAuth({ db: host.db, secret: host.secret, publicUrl: host.url });
    await upsertOperator(host.db, auth, { email: "admin@example.com", password: PASSWORD, role: "admin" });
    const signedIn = await ask({
      method: "POST",
      path: "/api/auth/sign-in/email",
      body: { email: "admin@example.com", password: PASSWORD },
    });
    cookie = (signedIn.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
    expect((await ask({ method: "POST", path: "/api/v1/payments", body: payment() })).status).toBe(201);
  });
  afterEach(async () => {
    thaw();
    await stopped([]);
  });
  afterAll(() => host.close());

  const thaw = (): void => host.relay?.thaw();
  /** Stops these processes of the server, and lets those that were stopped before go on. */
  let still: readonly number[] = [];
  function stopped(pids: readonly number[]): Promise<void> {
    for (const pid of still) process.kill(pid, "SIGCONT");
    still = pids;
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    return Promise.resolve();
  }
  const appBackends = async (): Promise<number[]> =>
    (
      await host.rows<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and application_name = 'onceboard test'",
      )
    ).map(({ pid }) => pid);

  const ask = ({ method, path, body, headers = {} }: Wanted): Promise<CheckedAnswer> => {
    const own = path.startsWith("/api/v1/admin/") || path.startsWith("/api/auth/");
    const lines: Record<string, string> = {
      ...(own ? { cookie, origin: host.url } : { authorization: `Bearer ${apiKey}` }),
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
      ...headers,
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return host.call({ method, path, headers: Object.entries(lines), ...sent });
  };
  async function timed(wanted: Wanted): Promise<Timed> {
    const began = performance.now();
    const answer = await ask({ ...wanted, headers: { "x-request-timeout": String(BUDGET_MS), ...wanted.headers } });
    return { ...wanted, answer, tookMs: performance.now() - began };
  }

  /** The app's own table, so that a new route is asked too. */
  function everyRoute(): Wanted[] {
    const { deps } = requireInProcess(host);
    return createHttpApp(deps).routes.flatMap(({ method, path }): Wanted[] => {
      if (path === "/api/auth/*") return AUTH_ENDPOINTS.map((one) => ({ ...one, ...bodyFor(one.method, one.path) }));
      if (method === "ALL") return [];
      const filled = path
        .replace(":source", "warehouse")
        .replace(/:operation\b/, "payments.create")
        .replace(/:(?:topic|consumer|client)/, "payments")
        .replace(/:\w+/g, () => randomUUID());
      const query = path.startsWith("/api/v1/admin/") ? `?tenant=${host.tenant}` : "";
      return [{ method, path: `${filled}${query}`, ...bodyFor(method, path) }];
    });
  }
  function inWaves(wanted: readonly Wanted[]): Wanted[][] {
    const count = Math.ceil(wanted.length / AT_ONCE);
    return Array.from({ length: count }, (_none, wave) => wanted.slice(wave * AT_ONCE, (wave + 1) * AT_ONCE));
  }
  function bodyFor(method: string, path: string): Partial<Wanted> {
    if (method === "GET") return {};
    const structured = { "content-type": "application/cloudevents+json" };
    switch (path) {
      case "/api/v1/payments":
        return { body: payment() };
      case "/api/v1/refunds":
        return { body: { paymentId: randomUUID(), amount: "1.00" } };
      case "/api/v1/accounts":
        return { body: { accountId: `acc_${randomUUID()}`, currency: "EUR" } };
      case "/api/v1/accounts/:id/settings/default-currency":
        return { body: { currency: "EUR" } };
      case "/api/v1/mesh":
        return { body: charge(randomUUID()) };
      case "/api/v1/events/:source":
        return {
          headers: structured,
          body: { specversion: "1.0", id: randomUUID(), source: "/warehouse", type: "parcel.sent", data: {} },
        };
      case "/api/auth/sign-in/email":
        return { body: { email: "admin@example.com", password: PASSWORD } };
      case "/api/auth/sign-in/code":
        return { body: { code: "123456" } };
      case "/api/auth/join":
        return { body: { token: `${randomUUID()}.${"a".repeat(43)}`, password: PASSWORD } };
      case "/api/auth/join/check":
        return { body: { token: `${randomUUID()}.${"a".repeat(43)}` } };
      default:
        return { body: { reason: "a test" } };
    }
  }
  const charge = (key: string) => ({
    protocol: { name: "mesh", version: "0.1.0" },
    id: "req_1",
    call: {
      function: "payments.charge",
      version: "1",
      arguments: { customer_id: "acc_1", amount: 1_000, currency: "EUR" },
    },
    extensions: [{ urn: "urn:mesh:ext:idempotency", options: { key } }],
  });

  function wrongOf({ method, path, answer, tookMs }: Timed): string[] {
    const name = `${method} ${path.split("?")[0] ?? ""}`;
    const message = `${name}: ${String(answer.status)} ${answer.text.slice(0, 200)} after ${tookMs.toFixed(0)} ms`;
    if (tookMs > BUDGET_MS * (1 + MARGIN)) return [message];
    const byItself = WITHOUT_DATABASE.get(name);
    if (byItself !== undefined) return answer.status === byItself ? [] : [message];
    if (answer.status !== 503) return [message];
    if (path === "/api/health/ready") return answer.json?.["missing"] === undefined ? [message] : [];
    if (path === "/api/health/worker") return answer.json?.["worker"] === undefined ? [message] : [];
    const type = answer.headers["content-type"];
    if (path === "/api/v1/mesh") return /DEPENDENCY_UNAVAILABLE/.test(answer.text) ? [] : [message];
    const isOurs = type === "application/problem+json" && answer.json?.["code"] === "dependency.unavailable";
    return isOurs && answer.headers["retry-after"] !== undefined ? [] : [message];
  }

  const ways: readonly (readonly [string, () => Promise<void>])[] = [
    ["the way to it hands nothing on", () => Promise.resolve(host.relay?.freeze())],
    [
      "its processes are stopped",
      async () => {
        const { pool } = requireInProcess(host).deps.db;
        // As many as the pool may have, so that none is made anew.
        await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query({ text: "select pg_sleep(0.3)" })));
        await stopped(await appBackends());
      },
    ],
  ];
  it.each(ways)("answers every route within its time while %s", async (_how, freeze) => {
    const { deps } = requireInProcess(host);
    const before = (await host.providerLedger()).length;
    const answers: Timed[] = [];
    for (const wave of inWaves(everyRoute())) {
      forgetApiKey(deps.db, apiKey.split("_")[1] ?? "");
      await freeze();
      answers.push(...(await Promise.all(wave.map(timed))));
      thaw();
      await stopped([]);
    }
    expect(answers.flatMap(wrongOf)).toEqual([]);
    expect(answers.length).toBeGreaterThan(100);
    expect((await ask({ method: "GET", path: "/api/health/live" })).status).toBe(200);
    expect((await ask({ method: "POST", path: "/api/v1/payments", body: payment() })).status).toBe(201);
    expect((await host.providerLedger()).length, "only of the caller who came after it").toBe(before + 1);
  });

  /** Runs recovery until nothing of ours is open: what a worker does. */
  async function recovered(): Promise<void> {
    const { deps } = requireInProcess(host);
    const actor = { kind: "system", id: "recover", name: "recover" } as const;
    const ctx = engineContext(deps.engine, { tenantId: host.tenant, actor, requestId: randomUUID() });
    const open = () => host.rows("select 1 from onceboard.idempotency_open where tenant_id = $1", host.tenant);
    await expect
      .poll(
        async () => {
          await host.rows(
            "update onceboard.idempotency_open set next_check_at = clock_timestamp() where next_check_at is not null",
          );
          await recoverDue(ctx, deps.registry, { limit: 10 });
          return (await open()).length;
        },
        { timeout: WITHIN_MS, interval: 100 },
      )
      .toBe(0);
  }

  it.each<[string, string, "before" | "after", boolean]>([
    ["before the claim arrives", "claim\0", "before", false],
    ["with the claim's answer", "claim\0", "after", false],
    ["before the payment's row", "insert_payment", "before", false],
    ["with the answer of the journal", "prepare_provider", "after", false],
    ["before it is marked as sent", "mark_sent", "before", false],
    ["after it is marked as sent", "mark_sent", "after", false],
    ["after the provider's answer", "answer_and_confirm_provider", "before", true],
    ["while it settles", "complete\0", "after", true],
  ])(
    "%s: nothing is charged for a caller who is gone, and a retry pays once",
    async (_when, text, when, mayHaveActed) => {
      const wanted = {
        method: "POST",
        path: "/api/v1/payments",
        body: payment(),
        headers: { "idempotency-key": randomUUID() },
      };
      await warm();
      const before = (await host.providerLedger()).length;
      const charged = async () => (await host.providerLedger()).length - before;
      host.relay?.freezeAt(onTheWire(text), when);
      const late = await timed(wanted);
      expect(late.answer.json, late.answer.text).toMatchObject({
        status: 503,
        code: "dependency.unavailable",
        retryable: true,
      });
      expect(late.tookMs).toBeLessThan(BUDGET_MS * (1 + MARGIN));
      if (mayHaveActed) expect(late.answer.json?.["detail"]).toMatch(/^The provider may have acted/);
      thaw();
      await recovered();
      expect(await charged(), "once the database went on").toBe(mayHaveActed ? 1 : 0);
      const retried = await ask(wanted);
      expect([retried.status, retried.headers["idempotent-replayed"]]).toEqual([
        201,
        mayHaveActed ? "true" : undefined,
      ]);
      const again = await ask(wanted);
      expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([201, "true", retried.text]);
      expect(await charged()).toBe(1);
    },
  );

  it.each<[string, string, "before" | "after", number]>([
    ["before its rows", "claim\0", "before", 0],
    ["at its commit", "commit\0", "before", 1],
    ["after its commit", "commit\0", "after", 1],
  ])("an account, %s: made once whatever its first caller was told", async (_when, text, when, made) => {
    const accountId = `acc_${randomUUID()}`;
    const wanted = {
      method: "POST",
      path: "/api/v1/accounts",
      body: { accountId, currency: "EUR" },
      headers: { "idempotency-key": randomUUID() },
    };
    const accounts = () => host.rows("select 1 from payments.accounts where id = $1", accountId);
    await warm();
    host.relay?.freezeAt(onTheWire(text), when);
    const late = await timed(wanted);
    expect(late.answer.json).toMatchObject({ status: 503, code: "dependency.unavailable" });
    expect(late.answer.json?.["detail"]).toMatch(
      made === 1 ? /not known whether/ : /^The database cannot be reached or/,
    );
    thaw();
    if (made === 1) await expect.poll(accounts, { timeout: WITHIN_MS }).toHaveLength(1);
    const retried = await ask(wanted);
    expect([retried.status, retried.headers["idempotent-replayed"]]).toEqual([201, made === 1 ? "true" : undefined]);
    expect(await accounts()).toHaveLength(1);
  });

  /** What a process remembers for a while, so that the request under test gets as far as its own statements. */
  async function warm(): Promise<void> {
    await ask({ method: "POST", path: "/api/v1/payments", body: payment() });
    await requireInProcess(host).deps.answers.flush();
  }
});
