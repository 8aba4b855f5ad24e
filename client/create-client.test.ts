import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, type ClientOptions, type OnceboardClient } from "./create-client";
import {
  AnswerGoneError,
  AuthError,
  ConflictError,
  KeyExpiredError,
  OnceboardError,
  OutcomeUnknownError,
  RefusedError,
  UnavailableError,
} from "./errors";
import type { Settled } from "./hooks";
import { createMemoryStore } from "./pending-store";
import { retryLogCsv, type AttemptRecord } from "./retry-log";
import { createFakeClock, type FakeClock } from "./testing/fake-clock";
import {
  scriptedAnswer,
  cut,
  PAYMENT,
  scriptedProblem,
  silence,
  startRawServer,
  type RawServer,
} from "./testing/raw-server";

let server: RawServer;
let clock: FakeClock;
beforeEach(async () => {
  server = await startRawServer();
  clock = createFakeClock();
});
afterEach(() => server.close());

function client(options: Partial<ClientOptions> = {}): OnceboardClient {
  return createClient({ baseUrl: server.url, apiKey: "ob_key", random: () => 0.5, clock, ...options });
}
const failure = (work: Promise<unknown>): Promise<OnceboardError> =>
  work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => {
      if (error instanceof OnceboardError) return error;
      throw error;
    },
  );
const keys = (): (string | undefined)[] => server.seen.map(({ headers }) => headers["idempotency-key"]);

describe("CLIENT-3 retries", () => {
  it("CLIENT-1 resend the same key and bytes over cut connections, 5xx and 429", async () => {
    const log: AttemptRecord[] = [];
    server.script = [cut, scriptedAnswer(502, "<html>"), scriptedAnswer(429, {}), scriptedAnswer(200, '{"paym')];
    const { status, key, attempts } = await client({ onAttempt: (record) => log.push(record) }).payments.create(
      PAYMENT,
    );
    expect(status).toBe(201);
    expect(keys()).toEqual([key, key, key, key, key]);
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(new Set(server.seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(PAYMENT)]));
    expect(attempts.map(({ delayMs }) => delayMs)).toEqual([0, 150, 300, 600, 1200]);
    expect(clock.slept).toEqual([150, 300, 600, 1200]);
    expect(log).toEqual(attempts);
  });

  it("CLIENT-9 reproduce the published retry log", async () => {
    const waits = [137, 281];
    server.script = [() => clock.advance(4_500), scriptedAnswer(502, "<html>"), scriptedAnswer(201)];
    const random = (): number => {
      const step = 100 * 2 ** (server.seen.length - 1);
      return ((waits[server.seen.length - 1] ?? 0) - step) / step;
    };
    const { attempts } = await client({ random }).payments.create(PAYMENT);
    expect(retryLogCsv(attempts)).toBe(
      "attempt,delay_ms,status,code,notes\n1,0,timeout,,initial timeout\n2,137,5xx,502,proxy error\n3,281,200,201,success\n",
    );
  });

  it("wait as long as the server asks, and tell it how long they will", async () => {
    server.script = [
      scriptedProblem(409, "idempotency.in_progress", { retryable: true }, { "retry-after": "3" }),
      scriptedProblem(503, "dependency.unavailable", {}, { "retry-after": "4" }),
    ];
    await client().payments.create(PAYMENT);
    expect(clock.slept).toEqual([3000, 4000]);
    // Never more than what is left of the budget.
    expect(server.seen.map(({ headers }) => headers["x-request-timeout"])).toEqual(["4500", "4500", "3000"]);
  });

  it("read a date of Retry-After by the clock that wrote it", async () => {
    const date = "Thu, 19 Nov 2020 14:00:00 GMT";
    server.script = [scriptedAnswer(503, "", { date, "retry-after": "Thu, 19 Nov 2020 14:00:05 GMT" })];
    await client().payments.create(PAYMENT);
    expect(clock.slept).toEqual([5000]);
  });

  it("ask on while the server itself does not know the outcome", async () => {
    server.script = [scriptedProblem(409, "idempotency.outcome_unknown", { retryable: true }, { "retry-after": "2" })];
    expect((await client().payments.create(PAYMENT)).status).toBe(201);
    expect(clock.slept).toEqual([2000]);
  });

  it("CLIENT-5 end with the budget: the outcome is unknown, the key is pending and named", async () => {
    const store = createMemoryStore();
    server.script = Array.from({ length: 50 }, () => scriptedProblem(503, "transient.internal"));
    const error = await failure(client({ store }).payments.create(PAYMENT));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ reason: "unavailable", pending: true, key: keys()[0], status: 503 });
    expect(error.message).toContain("the same key");
    expect(clock.elapsed()).toBeLessThan(10_000);
    expect(server.seen.length).toBeGreaterThanOrEqual(6);
    expect(await store.list()).toMatchObject([{ key: error.key }]);
  });

  it("do not begin after the budget, however late a machine wakes up", async () => {
    server.script = [scriptedAnswer(503, "")];
    const asleep = {
      ...clock,
      sleep: () => {
        clock.advance(60_000);
        return Promise.resolve();
      },
    };
    expect(await failure(client({ clock: asleep }).payments.create(PAYMENT))).toMatchObject({ reason: "unavailable" });
    expect(server.seen).toHaveLength(1);
  });

  it("end with their number when they cost no time", async () => {
    server.script = Array.from({ length: 50 }, () => cut);
    const schedule = { baseMs: 0, capMs: 0 };
    expect(await failure(client({ schedule }).payments.create(PAYMENT))).toMatchObject({ reason: "network" });
    expect(server.seen).toHaveLength(12);
  });

  it.each([
    [scriptedProblem(409, "idempotency.payload_mismatch", { differingFields: ["amount"] }), ConflictError, false],
    [scriptedProblem(422, "idempotency.payload_mismatch"), ConflictError, false],
    [scriptedProblem(402, "payment.insufficient_funds"), RefusedError, false],
    [scriptedProblem(400, "validation.amount"), RefusedError, false],
    [scriptedProblem(425, "too.early", {}, { "retry-after": "1" }), RefusedError, false],
    [scriptedProblem(410, "idempotency.response_purged"), AnswerGoneError, false],
    [scriptedProblem(401, "auth.unauthenticated"), AuthError, true],
    [scriptedProblem(403, "auth.forbidden"), AuthError, true],
    [scriptedProblem(410, "idempotency.key_expired", {}, { "retry-after": "1" }), KeyExpiredError, true],
    [scriptedProblem(503, "transient.internal", { retryable: false }), OutcomeUnknownError, true],
    [scriptedProblem(500, "transient.internal", {}, { "x-should-retry": "false" }), OutcomeUnknownError, true],
    [scriptedProblem(409, "idempotency.in_progress"), OutcomeUnknownError, true],
    [
      scriptedProblem(409, "idempotency.in_progress", {}, { "x-should-retry": "false", "retry-after": "1" }),
      OutcomeUnknownError,
      true,
    ],
  ])("never follow what cannot heal (%#)", async (behaviour, type, pending) => {
    const store = createMemoryStore();
    server.script = [behaviour];
    const error = await failure(client({ store }).payments.create(PAYMENT));
    expect(error).toBeInstanceOf(type);
    expect(error.pending).toBe(pending);
    expect(server.seen).toHaveLength(1);
    expect(await store.list()).toHaveLength(pending ? 1 : 0);
  });

  it("say of an expired key that somebody must look first, and keep it until somebody has", async () => {
    const store = createMemoryStore();
    const caller = client({ store });
    const expired = scriptedProblem(410, "idempotency.key_expired", { operationId: "op-7" });
    server.script = [expired, expired];
    const error = await failure(caller.payments.create(PAYMENT, { action: "order-7" }));
    expect(error.message).toContain("Look at operation op-7 before a new key is used.");
    // A second click must not become a second payment.
    expect(await failure(caller.payments.create(PAYMENT, { action: "order-7" }))).toBeInstanceOf(KeyExpiredError);
    expect(new Set(keys()).size).toBe(1);
    await caller.forget(error.key ?? "");
    expect(await caller.pending()).toEqual([]);
  });

  it("CLIENT-4 keep the key when a refusal after a lost answer does not speak for it", async () => {
    const store = createMemoryStore();
    server.script = [silence, scriptedAnswer(404, "<html>not here</html>")];
    server.script[0] = () => clock.advance(4_500);
    const error = await failure(client({ store }).payments.create(PAYMENT));
    expect(error).toBeInstanceOf(RefusedError);
    expect([error.pending, (await store.list()).length]).toEqual([true, 1]);
    server.script = [cut, scriptedProblem(402, "payment.insufficient_funds", {}, { "operation-id": "op-1" })];
    expect(await failure(client().payments.create(PAYMENT))).toMatchObject({ pending: false, operationId: "op-1" });
  });

  it("stop when the caller gives up, during an attempt or between two", async () => {
    const stop = new AbortController();
    server.script = [() => stop.abort()];
    expect(await failure(client().payments.create(PAYMENT, { signal: stop.signal }))).toMatchObject({
      reason: "aborted",
      pending: true,
    });
    const between = new AbortController();
    server.script = [scriptedAnswer(503, "")];
    const caller = client({ onRetry: () => between.abort() });
    expect(await failure(caller.payments.create(PAYMENT, { signal: between.signal }))).toMatchObject({
      reason: "aborted",
    });
    expect(server.seen).toHaveLength(2);
  });

  it("do not begin for a caller that has given up already", async () => {
    const store = createMemoryStore();
    await expect(client({ store }).payments.create(PAYMENT, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect([server.seen.length, (await store.list()).length]).toEqual([0, 0]);
  });
});

describe("CLIENT-6 a request that is still at work (202)", () => {
  const ID = "018f9b7e-1c2d-7e3f-8a9b-0c1d2e3f4a5b";
  const accepted = scriptedAnswer(
    202,
    { operationId: ID },
    { location: `/api/v1/operations/${ID}`, "retry-after": "1" },
  );
  const status = (sameKey: string): ReturnType<typeof scriptedAnswer> =>
    scriptedAnswer(200, { operationId: ID, retry: { sameKey } }, sameKey === "wait" ? { "retry-after": "2" } : {});

  it("is followed to its end, and its answer fetched by the same key", async () => {
    server.script = [
      accepted,
      status("wait"),
      cut,
      status("replays"),
      scriptedAnswer(201, { paymentId: "p9" }, { "idempotent-replayed": "true" }),
    ];
    const { body, replayed, key, attempts } = await client().payments.create(PAYMENT);
    expect([body.paymentId, replayed]).toEqual(["p9", true]);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/payments",
      `GET /api/v1/operations/${ID}`,
      `GET /api/v1/operations/${ID}`,
      `GET /api/v1/operations/${ID}`,
      "POST /api/v1/payments",
    ]);
    expect(keys()).toEqual([key, undefined, undefined, undefined, key]);
    expect(attempts.map(({ notes }) => notes).filter((note) => note !== "ECONNRESET")).toEqual([
      "accepted",
      "still in progress",
      "settled",
      "replayed",
    ]);
    expect(clock.slept).toEqual([1000, 2000, 600, 0]);
  });

  it("stays within the budget, and is pending after it", async () => {
    server.script = [accepted, ...Array.from({ length: 50 }, () => status("wait"))];
    expect(await failure(client().payments.create(PAYMENT))).toMatchObject({ reason: "in_progress", pending: true });
    expect(clock.elapsed()).toBeLessThan(10_000);
  });

  it("asks by the key itself where the status is not to be had", async () => {
    server.script = [accepted, scriptedProblem(404, "operation.not_found")];
    expect((await client().payments.create(PAYMENT)).status).toBe(201);
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "GET", "POST"]);
  });

  it("REPLAY-10 is not what an operation answered with 202 for good, also where it names an operation to look at", async () => {
    const location = `/api/v1/operations/${ID}`;
    for (const how of ["stored", "replayed"]) {
      server.script = [
        scriptedAnswer(202, { job: "j1" }, { location, "operation-id": ID, "idempotency-status": how }),
        status("replays"),
      ];
      const { status: code, body, attempts } = await client().post("/jobs", {});
      expect([code, body]).toEqual([202, { job: "j1" }]);
      expect(attempts).toHaveLength(1);
    }
  });

  it("CLIENT-8 sends its API key to nobody else, whatever Location says", async () => {
    const other = await startRawServer();
    server.script = [scriptedAnswer(202, {}, { location: `${other.url}/operations/${ID}` }), status("replays")];
    await client().payments.create(PAYMENT);
    expect([other.seen.length, server.seen.length]).toEqual([0, 3]);
    await other.close();
  });
});

describe("the methods", () => {
  it("have the paths of the API", async () => {
    const caller = client({ headers: { prefer: "return=minimal" } });
    server.script = Array.from({ length: 6 }, () => scriptedAnswer(200, {}));
    await caller.payments.create(PAYMENT);
    await caller.payments.void("p/1");
    await caller.refunds.create({ paymentId: "p1", amount: 400 });
    await caller.accounts.create({ accountId: "acc_1", currency: "EUR" });
    await caller.operations.status("op 1");
    await caller.post("/mesh", undefined, { key: "order-1" });
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/payments",
      "POST /api/v1/payments/p%2F1/void",
      "POST /api/v1/refunds",
      "POST /api/v1/accounts",
      "GET /api/v1/operations/op%201",
      "POST /api/v1/mesh",
    ]);
    expect(server.seen.every(({ headers }) => headers["authorization"] === "Bearer ob_key")).toBe(true);
    expect(server.seen[0]?.headers["prefer"]).toBe("return=minimal");
    expect(server.seen[5]).toMatchObject({ body: "", headers: { "idempotency-key": "order-1" } });
  });

  it("ask for the API key before each attempt", async () => {
    const rotated = ["old", "new"];
    server.script = [scriptedAnswer(503, "")];
    await client({ apiKey: () => Promise.resolve(rotated.shift()) }).payments.create(PAYMENT);
    expect(server.seen.map(({ headers }) => headers["authorization"])).toEqual(["Bearer old", "Bearer new"]);
  });

  it("retry reads too, without a key", async () => {
    server.script = [cut, scriptedAnswer(200, { state: "COMPLETED" })];
    expect((await client().operations.status("op-1")).body.state).toBe("COMPLETED");
    server.script = Array.from({ length: 20 }, () => scriptedAnswer(503, ""));
    const error = await failure(client().get("/payments/p1"));
    expect(error).toBeInstanceOf(UnavailableError);
    expect([error.pending, error.key]).toEqual([false, undefined]);
    server.script = [scriptedProblem(404, "operation.not_found")];
    expect(await failure(client().operations.status("op-2"))).toMatchObject({ name: "RefusedError", pending: false });
    expect(keys().every((key) => key === undefined)).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a path of elsewhere", () => client().post("https://example.com", {})],
    ["a key with a comma", () => client().post("/payments", {}, { key: "a,b" })],
    ["a key with a semicolon", () => client().post("/payments", {}, { key: "a;b" })],
    ["a key beyond ASCII", () => client().post("/payments", {}, { key: "ä" })],
    ["a key that is too long", () => client().post("/payments", {}, { key: "k".repeat(256) })],
    ["an action without a name", () => client().post("/payments", {}, { action: "" })],
    ["a body that is no JSON", () => client().post("/payments", { amount: 1n })],
    ["an address with a query", async () => client({ baseUrl: "https://example.com?a=b" })],
    ["an API key that no header can hold", async () => client({ apiKey: "a\nb" })],
  ])("refuse %s at once", async (_what, act) => {
    await expect(act()).rejects.toThrow(TypeError);
    expect(server.seen).toEqual([]);
  });
});

describe("hooks", () => {
  it("tell every attempt, every wait and the end", async () => {
    const waits: [number, string][] = [];
    const settled: Settled[] = [];
    const hooks = {
      onRetry: ({ delayMs, after }: { delayMs: number; after: AttemptRecord }) => waits.push([delayMs, after.notes]),
      onSettled: (end: Settled) => settled.push(end),
    };
    server.script = [scriptedAnswer(503, ""), scriptedAnswer(201), scriptedProblem(402, "payment.insufficient_funds")];
    await client(hooks).payments.create(PAYMENT);
    await failure(client(hooks).payments.create(PAYMENT));
    expect(waits).toEqual([[150, "proxy error"]]);
    expect(settled).toMatchObject([{ answer: { status: 201 } }, { error: { code: "payment.insufficient_funds" } }]);
  });

  it("change nothing when they throw", async () => {
    const broken = (): never => {
      throw new Error("a broken log");
    };
    server.script = [cut];
    const caller = client({ onAttempt: broken, onRetry: broken, onSettled: broken });
    expect((await caller.payments.create(PAYMENT)).status).toBe(201);
  });

  it("say when a store did not forget; the answer stands", async () => {
    const store = { ...createMemoryStore(), remove: () => Promise.reject(new Error("the disk is full")) };
    const settled: Settled[] = [];
    const answered = await client({ store, onSettled: (end) => settled.push(end) }).payments.create(PAYMENT);
    expect(answered.status).toBe(201);
    expect(settled[0]?.storeError).toMatchObject({ message: "the disk is full" });
  });
});

it("CLIENT-9 a note of a retry log is never a formula, and quoted where it must be", () => {
  const row = (notes: string): string =>
    retryLogCsv([{ attempt: 1, delayMs: 0, status: "4xx", code: 400, notes }])
      .split("\n")
      .slice(1)
      .join("\n");
  expect(row("=1+1")).toBe("1,0,4xx,400,'=1+1\n");
  expect(row('a "b", c')).toBe('1,0,4xx,400,"a ""b"", c"\n');
});
