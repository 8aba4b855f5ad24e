import { createServer, type Server, type ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startStripeSandbox, type StripeSandbox } from "../../stripe-sandbox/server";
import type { PaymentProvider, ProviderQuestion, ProviderRequest } from "../port";
import { createStripeProvider } from "./adapter";
import { LIST_PAGES } from "./look-up";

const SECRET = "sk_test_canary_0123456789";
const PATIENT = { timeoutMs: 5_000 };
const HASTY = { timeoutMs: 200 };
const request = (providerKey: string, more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  providerKey,
  amountMinor: 1000n,
  currency: "EUR",
  accountId: "acc_1",
  metadata: { tenant: "acme" },
  ...more,
});
const about = (
  providerKey: string,
  effect: ProviderQuestion["effect"] = "charge",
  more: Partial<ProviderRequest> = {},
): ProviderQuestion => ({ effect, request: request(providerKey, more), since: new Date() });

let sandbox: StripeSandbox;
let provider: PaymentProvider;
beforeAll(async () => {
  sandbox = await startStripeSandbox({ port: 0 });
  provider = createStripeProvider({ secretKey: SECRET, apiBase: sandbox.url });
});
afterAll(async () => {
  provider.close();
  await sandbox.close();
});
beforeEach(() => control("reset", {}));

async function control(path: string, body?: unknown): Promise<Record<string, unknown>> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return (await (await fetch(`${sandbox.url}/_control/${path}`, init)).json()) as Record<string, unknown>;
}
const faults = (body: unknown): Promise<unknown> => control("faults", body);
interface Made {
  readonly id: string;
  readonly amount: number;
  readonly metadata: Record<string, string>;
}
const ledger = () =>
  control("ledger") as Promise<unknown> as Promise<{
    payments: Made[];
    refunds: Made[];
    requests: Record<string, number>;
  }>;

async function charged(providerKey: string): Promise<string> {
  const result = await provider.charge(request(providerKey), PATIENT);
  if (result.kind !== "succeeded") throw new Error(result.kind);
  return result.reference;
}

describe("the Stripe adapter", () => {
  it("PROVIDER-3 says what Stripe can do: dedupes for a day, can be asked", () => {
    expect(provider).toMatchObject({ name: "stripe", dedupesForHours: 24, queryable: true });
  });

  it("PROVIDER-2 charges, refunds and voids under our key, in the idempotency key and in the metadata", async () => {
    const chargeReference = await charged("p1");
    expect(chargeReference).toMatch(/^pi_/);
    const refund = await provider.refund(request("r1", { amountMinor: 400n, chargeReference }), PATIENT);
    expect(refund).toMatchObject({ kind: "succeeded", reference: expect.stringMatching(/^re_/) as string });
    const other = await charged("p2");
    expect(await provider.void(request("v1", { chargeReference: other }), PATIENT)).toMatchObject({
      kind: "succeeded",
    });
    const { payments, refunds, requests } = await ledger();
    expect(payments.map((made) => [made.metadata["onceboard_key"], made.amount])).toEqual([
      ["p1", 1000],
      ["p2", 1000],
    ]);
    expect(refunds.map((made) => [made.metadata["onceboard_key"], made.amount])).toEqual([
      ["r1", 400],
      ["v1", 1000],
    ]);
    expect(requests).toEqual({ p1: 1, r1: 1, p2: 1, v1: 1 });
    expect(payments[0]?.metadata).toMatchObject({ tenant: "acme", accountId: "acc_1" });
  });

  it("answers a repeated key with the first effect", async () => {
    const first = await charged("again");
    expect(await charged("again")).toBe(first);
    expect((await ledger()).payments).toHaveLength(1);
  });

  it("REFUSAL-1 declines with the bank's own word, and the look-up says the same", async () => {
    const poor = await provider.charge(request("poor", { amountMinor: 1051n }), PATIENT);
    expect(poor).toMatchObject({
      kind: "declined",
      code: "insufficient_funds",
      reference: expect.stringMatching(/^pi_/) as string,
    });
    expect(await provider.charge(request("lost", { amountMinor: 1052n }), PATIENT)).toMatchObject({
      kind: "declined",
      code: "lost_card",
    });
    expect(await provider.lookUp(about("poor"), PATIENT)).toMatchObject({
      kind: "found",
      status: "declined",
      declineCode: "insufficient_funds",
      amountMinor: 1051n,
    });
  });

  it("PROVIDER-8 sends no amount that Stripe has no exact number for", async () => {
    for (const [amountMinor, currency] of [
      [5124n, "KWD"],
      [5n, "UGX"],
      [520n, "MGA"],
    ] as const) {
      const result = await provider.charge(request("odd", { amountMinor, currency }), PATIENT);
      expect(result).toMatchObject({ kind: "no_effect", code: "refused" });
    }
    expect((await ledger()).requests).toEqual({});
    const yen = await provider.charge(request("yen", { amountMinor: 500n, currency: "JPY" }), PATIENT);
    expect(yen).toMatchObject({ kind: "succeeded" });
    expect((await ledger()).payments[0]?.amount).toBe(500);
  });

  it("refunds nothing whose charge has no reference of Stripe's", async () => {
    const chargeReference = "confirmed by a person";
    expect(await provider.refund(request("r9", { chargeReference }), PATIENT)).toMatchObject({
      kind: "no_effect",
      code: "refused",
    });
    expect((await ledger()).requests).toEqual({});
  });
});

describe("CERTAINTY-2 definite and indefinite at Stripe", () => {
  it.each([
    ["rate_limit", { kind: "no_effect", code: "rate_limited", retryAfter: 1 }, 0],
    ["timeout_before", { kind: "indefinite" }, 0],
    ["timeout_after_accept", { kind: "indefinite" }, 1],
    ["error_before", { kind: "indefinite" }, 0],
    ["error_after_accept", { kind: "indefinite" }, 1],
    ["error_frozen", { kind: "indefinite" }, 0],
    ["garbage", { kind: "indefinite" }, 1],
    ["down", { kind: "indefinite" }, 0],
    ["key_in_use", { kind: "indefinite", reason: "the provider is still working on this key" }, 0],
  ])("%s", async (fault, expected, effects) => {
    await faults({ [fault]: 1 });
    expect(await provider.charge(request(`f-${fault}`), fault.startsWith("timeout") ? HASTY : PATIENT)).toMatchObject(
      expected,
    );
    expect((await ledger()).payments).toHaveLength(effects);
  });

  it("a connection that was cut after the effect is not repeated by the SDK: one request, indefinite", async () => {
    await faults({ reset_after_accept: true });
    expect(await provider.charge(request("cut"), PATIENT)).toMatchObject({ kind: "indefinite" });
    expect((await ledger()).requests).toEqual({ cut: 1 });
  });

  it("no connection is no effect, as it is when it was stopped before", async () => {
    const nowhere = createStripeProvider({ secretKey: SECRET, apiBase: "http://127.0.0.1:9" });
    expect(await nowhere.charge(request("x"), PATIENT)).toMatchObject({ kind: "no_effect", code: "unavailable" });
    expect(await nowhere.lookUp(about("x"), PATIENT)).toMatchObject({ kind: "unreachable" });
    const unnamed = createStripeProvider({ secretKey: SECRET, apiBase: "http://no-such-host.invalid" });
    expect(await unnamed.charge(request("x"), PATIENT)).toMatchObject({ kind: "no_effect", code: "unavailable" });
    const stopped = { ...PATIENT, signal: AbortSignal.abort() };
    expect(await provider.charge(request("x"), stopped)).toMatchObject({ kind: "no_effect" });
    expect((await ledger()).requests).toEqual({});
  });

  it("no TLS is no effect either: the request waits for the handshake", async () => {
    const plain = createServer();
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    const secure = createStripeProvider({ secretKey: SECRET, apiBase: `https://127.0.0.1:${String(portOf(plain))}` });
    expect(await secure.charge(request("x"), PATIENT)).toMatchObject({ kind: "no_effect", code: "unavailable" });
    secure.close();
    plain.closeAllConnections();
    plain.close();
  });

  it("CERTAINTY-7 the same key with other parameters is a contradiction, never a free key", async () => {
    await charged("reused");
    expect(await provider.charge(request("reused", { amountMinor: 2000n }), PATIENT)).toEqual({
      kind: "contradicting",
      reference: undefined,
      reason: "the provider has another command under this key",
    });
    expect((await ledger()).payments).toHaveLength(1);
  });

  it("a kept 500 is replayed and says so; it stays indefinite", async () => {
    await faults({ error_after_accept: 1 });
    await provider.charge(request("frozen"), PATIENT);
    expect(await provider.charge(request("frozen"), PATIENT)).toEqual({
      kind: "indefinite",
      reason: "the provider answered 500, replayed from its first try",
    });
    expect((await ledger()).payments).toHaveLength(1);
  });

  it("what is refused before it is executed has no effect: parameters, keys, a payment that is not there", async () => {
    const unknown = request("nobody", { chargeReference: "pi_none" });
    expect(await provider.refund(unknown, PATIENT)).toMatchObject({
      kind: "no_effect",
      code: "refused",
      reason: "the provider answered 404 (resource_missing)",
    });
    const stranger = createStripeProvider({ secretKey: "not a key", apiBase: sandbox.url });
    expect(await stranger.charge(request("k"), PATIENT)).toMatchObject({
      kind: "no_effect",
      code: "refused",
      reason: "the provider answered 401",
    });
    stranger.close();
  });

  it("processing stays so until it is final", async () => {
    await faults({ processing: 1 });
    const open = await provider.charge(request("slow"), PATIENT);
    expect(open).toMatchObject({ kind: "processing" });
    expect(await provider.lookUp(about("slow"), PATIENT)).toMatchObject({ kind: "found", status: "processing" });
    await control("settle", { id: "reference" in open ? open.reference : "", succeeded: true });
    expect(await provider.lookUp(about("slow"), PATIENT)).toMatchObject({ kind: "found", status: "succeeded" });
  });
});

describe("RECOVERY-2 a look-up at Stripe", () => {
  it("finds a payment by search, and by the list while the index lags", async () => {
    const reference = await charged("seen");
    const found = { kind: "found", status: "succeeded", reference, amountMinor: 1000n, currency: "EUR" };
    expect(await provider.lookUp(about("seen"), PATIENT)).toEqual(found);
    await faults({ search_lag_ms: 60_000 });
    expect(await provider.lookUp(about("seen"), PATIENT)).toEqual(found);
    await faults({ search_down: true });
    expect(await provider.lookUp(about("seen"), PATIENT)).toEqual(found);
  });

  it("is absent only when the list was read to its end", async () => {
    expect(await provider.lookUp(about("never"), PATIENT)).toEqual({ kind: "absent" });
    await faults({ list_down: true });
    expect(await provider.lookUp(about("never"), PATIENT)).toEqual({
      kind: "unreachable",
      reason: "the provider answered 500",
    });
    await faults({ list_down: false, down: true });
    expect(await provider.lookUp(about("never"), PATIENT)).toMatchObject({ kind: "unreachable" });
  });

  it("reads every page for one that is old, and nothing from before it was sent", async () => {
    const reference = await charged("first");
    await Promise.all(Array.from({ length: 120 }, (_, index) => charged(`later-${String(index)}`)));
    await faults({ search_down: true });
    expect(await provider.lookUp(about("first"), PATIENT)).toMatchObject({ kind: "found", reference });
    await control("clock", { advanceMs: 3_600_000 });
    const since = new Date(Date.now() + 3_600_000);
    expect(await provider.lookUp({ ...about("first"), since }, PATIENT)).toEqual({ kind: "absent" });
  });

  it("shares one time limit among its calls", async () => {
    await faults({ slow_ms: 150 });
    expect(await provider.lookUp(about("late"), HASTY)).toMatchObject({ kind: "unreachable" });
  });

  it("finds refunds and voids among those of their charge", async () => {
    const chargeReference = await charged("base");
    await faults({ timeout_after_accept: 1 });
    const refund = request("r1", { amountMinor: 300n, chargeReference });
    expect(await provider.refund(refund, HASTY)).toMatchObject({ kind: "indefinite" });
    expect(await provider.lookUp({ ...about("r1", "refund"), request: refund }, PATIENT)).toMatchObject({
      kind: "found",
      status: "succeeded",
      amountMinor: 300n,
    });
    expect(await provider.lookUp(about("v1", "void", { chargeReference }), PATIENT)).toEqual({ kind: "absent" });
    expect(await provider.lookUp(about("r1", "refund"), PATIENT)).toMatchObject({ kind: "unreachable" });
  });

  it("two payments under one key contradict each other: the key was pruned and used again", async () => {
    await charged("twice");
    await control("clock", { advanceMs: 24 * 3_600_000 + 1 });
    await charged("twice");
    const since = new Date(Date.now() + 24 * 3_600_000);
    const two = { kind: "contradicting", reason: "the provider has 2 objects under this key" };
    expect(await provider.lookUp(about("twice"), PATIENT)).toMatchObject(two);
    // Search has the first one only, which says nothing about the second.
    await faults({ search_lag_ms: 60_000 });
    expect(await provider.lookUp({ ...about("twice"), since }, PATIENT)).toMatchObject(two);
    await faults({ search_lag_ms: 0, search_down: true });
    expect(await provider.lookUp(about("twice"), PATIENT)).toMatchObject(two);
  });
});

describe("a Stripe that behaves otherwise", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  async function answering(answer: (path: string, response: ServerResponse) => void): Promise<PaymentProvider> {
    server = createServer((asked, response) => {
      asked.resume();
      asked.on("end", () => {
        answer(asked.url ?? "", response);
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    return createStripeProvider({ secretKey: SECRET, apiBase: `http://127.0.0.1:${String(portOf(server))}` });
  }
  const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    answering((_path, response) => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    });

  it.each<[string, number, unknown, string]>([
    ["a number instead of an object", 200, 5, "indefinite"],
    ["null", 200, null, "indefinite"],
    ["an object of another kind", 200, { id: "cus_1", object: "customer" }, "indefinite"],
    ["a 403 without Stripe's error", 403, { message: "blocked" }, "indefinite"],
    ["a 424", 424, { error: { type: "api_error" } }, "indefinite"],
    ["a redirect", 302, {}, "indefinite"],
    ["a 402 that is no decline", 402, { error: { type: "invalid_request_error" } }, "indefinite"],
    ["a 409 for another reason", 409, { error: { type: "invalid_request_error" } }, "indefinite"],
    ["a decline without its payment", 402, { error: { type: "card_error", code: "card_declined" } }, "indefinite"],
  ])("%s is not a final word", async (_name, status, body, kind) => {
    const odd = await json(status, body);
    expect((await odd.charge(request("odd"), PATIENT)).kind).toBe(kind);
  });

  it("an answer about another key or amount settles nothing", async () => {
    const intent = {
      id: "pi_1",
      object: "payment_intent",
      amount: 1000,
      amount_received: 1000,
      currency: "eur",
      status: "succeeded",
      created: 1_700_000_000,
      metadata: { onceboard_key: "other" },
    };
    expect(await (await json(200, intent)).charge(request("mine"), PATIENT)).toMatchObject({ kind: "indefinite" });
    server?.close();
    const less = { ...intent, amount_received: 900, metadata: { onceboard_key: "mine" } };
    expect(await (await json(200, less)).charge(request("mine"), PATIENT)).toMatchObject({ kind: "indefinite" });
  });

  it("a list too long to be read to its end is no proof that something is absent", async () => {
    let pages = 0;
    const endless = await answering((path, response) => {
      if (!path.includes("search")) pages += 1;
      const data = path.includes("search") ? [] : [{ id: `pi_${String(pages)}`, metadata: {} }];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", has_more: !path.includes("search"), data }));
    });
    expect(await endless.lookUp(about("absent?"), PATIENT)).toMatchObject({ kind: "unreachable" });
    expect(pages).toBe(LIST_PAGES);
  });

  it("PROVIDER-9 the secret key is in the one header that needs it and nowhere else, and nothing tells who we are", async () => {
    const seen: Record<string, unknown>[] = [];
    const texts: string[] = [];
    server = createServer((asked, response) => {
      seen.push(asked.headers);
      asked.on("data", (chunk: Buffer) => texts.push(chunk.toString()));
      asked.on("end", () => {
        response.writeHead(401, { "stripe-notice": "read this" });
        response.end(
          JSON.stringify({ error: { type: "invalid_request_error", message: `Invalid API Key: ${SECRET}` } }),
        );
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const warned = vi.spyOn(process, "emitWarning");
    const refusing = createStripeProvider({
      secretKey: SECRET,
      apiBase: `http://127.0.0.1:${String(portOf(server))}`,
    });
    const results = [await refusing.charge(request("k"), PATIENT), await refusing.lookUp(about("k"), PATIENT)];
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
    expect(JSON.stringify([results, refusing, texts])).not.toContain("canary");
    const [{ authorization, ...others } = {}] = seen;
    expect(authorization).toBe(`Bearer ${SECRET}`);
    expect(JSON.stringify(others)).not.toContain("canary");
    expect(Object.keys(others).filter((name) => /stripe|agent|telemetry/i.test(name))).toEqual(["stripe-version"]);
  });

  it("a live key sends the payer that it was told", async () => {
    const seen: URLSearchParams[] = [];
    server = createServer((asked, response) => {
      const chunks: Buffer[] = [];
      asked.on("data", (chunk: Buffer) => chunks.push(chunk));
      asked.on("end", () => {
        seen.push(new URLSearchParams(Buffer.concat(chunks).toString()));
        response.writeHead(500).end("{}");
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const live = createStripeProvider({
      secretKey: "sk_live_0123456789",
      live: true,
      apiBase: `http://127.0.0.1:${String(portOf(server))}`,
      payer: (accountId) => ({ paymentMethod: `pm_of_${accountId}`, customer: `cus_${accountId}` }),
    });
    await live.charge({ ...request("live_1"), accountId: "acc_7" }, PATIENT);
    live.close();
    expect(seen.map((form) => [form.get("payment_method"), form.get("customer")])).toEqual([
      ["pm_of_acc_7", "cus_acc_7"],
    ]);
  });
});

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
