import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, type ClientOptions, type OnceboardClient } from "./create-client";
import {
  ConflictError,
  InProgressError,
  OutcomeUnknownError,
  PendingActionError,
  RefusedError,
  UnavailableError,
} from "./errors";
import { createFileStore } from "./node-file-store";
import { createMemoryStore, createStorageStore, type PendingStore } from "./pending-store";
import { retryLogCsv, type AttemptRecord } from "./retry-log";

interface Seen {
  readonly key: string | undefined;
  readonly body: string;
  readonly timeout: number;
  readonly path: string | undefined;
}
type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const PAYMENT = { accountId: "acc_1", amount: "10.00", currency: "EUR" };
const answer =
  (status: number, body: unknown = { paymentId: "p1" }, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
const problem = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Behaviour =>
  answer(status, { code, detail: code, ...more }, headers);
const cut: Behaviour = (request) => {
  request.socket.destroy();
};
const silence: Behaviour = () => undefined;

let server: Server;
let baseUrl: string;
let script: Behaviour[];
let seen: Seen[];
let clock: number;
let log: AttemptRecord[];

beforeEach(async () => {
  [script, seen, clock, log] = [[], [], 1_000_000, []];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { headers, url } = request;
      const key = headers["idempotency-key"];
      seen.push({
        key: typeof key === "string" ? key : undefined,
        body: Buffer.concat(chunks).toString(),
        timeout: Number(headers["x-request-timeout"]),
        path: url,
      });
      (script.shift() ?? answer(201))(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${String(typeof address === "object" && address ? address.port : 0)}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Time passes only while the client waits. */
function client(options: Partial<ClientOptions> = {}): OnceboardClient {
  return createClient({
    baseUrl,
    apiKey: "ob_key",
    random: () => 0.5,
    now: () => clock,
    sleep: (ms) => {
      clock += ms;
      return Promise.resolve();
    },
    onAttempt: (record) => {
      log.push(record);
    },
    ...options,
  });
}

describe("retries", () => {
  it("resend the same key and bytes over cut connections, 5xx and 429", async () => {
    script = [cut, answer(502, "<html>"), answer(429, {}), answer(200, '{"paym')];
    const { status, key, attempts } = await client().createPayment(PAYMENT);
    expect(status).toBe(201);
    expect(seen).toHaveLength(5);
    expect(new Set(seen.map((request) => request.key))).toEqual(new Set([key]));
    expect(new Set(seen.map((request) => request.body)).size).toBe(1);
    expect(attempts.map((record) => record.delayMs)).toEqual([0, 150, 300, 600, 1200]);
    expect(log).toEqual(attempts);
  });

  it("reproduce the playbook's retry log", async () => {
    const delays = [137, 281];
    script = [silence, answer(502, "<html>"), answer(201)];
    const random = (): number =>
      ((delays[seen.length - 1] ?? 0) - 100 * 2 ** (seen.length - 1)) / (100 * 2 ** (seen.length - 1));
    const { attempts } = await client({ random, schedule: { attemptTimeoutMs: 100 } }).createPayment(PAYMENT);
    expect(retryLogCsv(attempts)).toBe(
      "attempt,delay_ms,status,code,notes\n1,0,timeout,,initial timeout\n2,137,5xx,502,proxy error\n3,281,200,201,success\n",
    );
  });

  it("wait as long as the server asks, and tell it how long they will", async () => {
    script = [
      problem(409, "idempotency.in_progress", { retryable: true }, { "retry-after": "3" }),
      problem(503, "dependency.unavailable", {}, { "retry-after": "4" }),
    ];
    const { attempts } = await client().createPayment(PAYMENT);
    expect(attempts.map((record) => record.delayMs)).toEqual([0, 3000, 4000]);
    expect(seen.map((request) => request.timeout)).toEqual([4500, 4500, 3000]);
  });

  it("end with the budget, the key still pending", async () => {
    const store = createMemoryStore();
    script = Array.from({ length: 50 }, () => problem(503, "transient.internal"));
    await expect(client({ store }).createPayment(PAYMENT)).rejects.toBeInstanceOf(UnavailableError);
    expect(clock).toBeLessThan(1_010_000);
    expect(seen.length).toBeGreaterThanOrEqual(6);
    expect(await store.list()).toMatchObject([{ key: seen[0]?.key }]);
  });

  it("do not start when Retry-After is longer than the budget", async () => {
    script = [problem(503, "dependency.unavailable", {}, { "retry-after": "60" })];
    await expect(client().createPayment(PAYMENT)).rejects.toMatchObject({
      facts: { retryAfterMs: 60_000 },
      pending: true,
    });
    expect(seen).toHaveLength(1);
  });

  it.each([
    [problem(409, "idempotency.payload_mismatch", { differingFields: ["amount"] }), ConflictError, 0],
    [problem(402, "payment.insufficient_funds"), RefusedError, 0],
    [problem(400, "validation.amount"), RefusedError, 0],
    [problem(503, "transient.internal", { retryable: false }), UnavailableError, 1],
    [problem(500, "transient.internal", {}, { "x-should-retry": "false" }), UnavailableError, 1],
    [problem(409, "idempotency.in_progress"), InProgressError, 1],
    [problem(409, "idempotency.outcome_unknown", {}, { "retry-after": "1" }), OutcomeUnknownError, 1],
  ])("never follow what cannot heal (%#)", async (behaviour, type, pending) => {
    const store = createMemoryStore();
    script = [behaviour];
    await expect(client({ store }).createPayment(PAYMENT)).rejects.toBeInstanceOf(type);
    expect(seen).toHaveLength(1);
    expect(await store.list()).toHaveLength(pending);
  });

  it("stop when the caller gives up", async () => {
    const stop = new AbortController();
    script = [
      (request) => {
        stop.abort();
        request.socket.destroy();
      },
    ];
    await expect(client().createPayment(PAYMENT, { signal: stop.signal })).rejects.toBeInstanceOf(UnavailableError);
    expect(seen).toHaveLength(1);
  });
});

const directory = mkdtempSync(join(tmpdir(), "pending-"));
const STORES: [string, () => PendingStore][] = [
  ["memory", () => createMemoryStore()],
  ["storage", () => createStorageStore(fakeStorage())],
  ["file", () => createFileStore(directory)],
];
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe.each(STORES)("a key in the %s store", (_name, createStore) => {
  it("is there before the request and gone after the answer", async () => {
    const store = createStore();
    let during = 0;
    script = [
      (request, response) =>
        void store.list().then((list) => {
          during = list.length;
          answer(201)(request, response);
        }),
    ];
    await client({ store }).createPayment(PAYMENT);
    expect([during, (await store.list()).length]).toEqual([1, 0]);
  });

  it("is resent after a crash of the client", async () => {
    const store = createStore();
    script = [cut];
    await expect(
      client({ store, schedule: { maxAttempts: 1 } }).createRefund({ paymentId: "p1", amount: 400 }),
    ).rejects.toThrow();
    const resumed = await client({ store }).resumePending();
    expect(resumed).toMatchObject([{ ok: true, answer: { status: 201 } }]);
    expect(seen.map(({ key, body, path }) => ({ key, body, path }))).toEqual(
      [seen[0], seen[0]].map((request) => ({ key: request?.key, body: request?.body, path: "/api/v1/refunds" })),
    );
    expect(await store.list()).toEqual([]);
  });

  it("belongs to a named action until it is settled", async () => {
    const store = createStore();
    const once = client({ store, schedule: { maxAttempts: 1 } });
    script = [cut];
    await expect(once.createPayment(PAYMENT, { action: "checkout-1" })).rejects.toThrow();
    await expect(once.createPayment({ ...PAYMENT, amount: "11.00" }, { action: "checkout-1" })).rejects.toBeInstanceOf(
      PendingActionError,
    );
    await once.createPayment(PAYMENT, { action: "checkout-1" });
    await once.createPayment(PAYMENT, { action: "checkout-1" });
    expect(seen.map((request) => request.key === seen[0]?.key)).toEqual([true, true, false]);
  });
});

function fakeStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    clear: () => {
      items.clear();
    },
  };
}
