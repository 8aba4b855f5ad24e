import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { footprint, openTill, payment, type Till } from "./testing/till";

const GOOD = JSON.stringify({ accountId: "a", amount: "1.00", currency: "EUR" });
const big = (bytes: number): string => `{"accountId":"${"a".repeat(bytes - 16)}"}`;
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe.each(HOSTS)("bodies sent to %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
  });
  afterAll(() => host.close());

  const send = (
    path: string,
    body: string | Uint8Array,
    headers: readonly (readonly [string, string])[] = [["content-type", "application/json"]],
  ) =>
    host.call({
      method: "POST",
      path: `/api/v1${path}`,
      headers: [["authorization", `Bearer ${till.apiKey}`], ["idempotency-key", randomUUID()], ...headers],
      body,
    });

  it.each<[string, string | Uint8Array, number, string]>([
    ["nothing", "", 400, "validation.json"],
    ["half an object", '{"accountId":', 400, "validation.json"],
    ["two objects", "{}{}", 400, "validation.json"],
    ["a comment", '{"accountId":"a"/*x*/}', 400, "validation.json"],
    ["a trailing comma", '{"accountId":"a",}', 400, "validation.json"],
    ["NaN", '{"amount":NaN}', 400, "validation.json"],
    ["one member twice", '{"amount":"1.00","currency":"EUR","amount":"100.00"}', 400, "validation.json"],
    ["one member twice, once escaped", '{"amount":"1.00","\\u0061mount":"100.00"}', 400, "validation.json"],
    ["__proto__", '{"__proto__":{"amount":"1.00"}}', 400, "validation.json"],
    ["33 levels", `${"[".repeat(33)}${"]".repeat(33)}`, 400, "validation.json"],
    ["NUL in a text", '{"accountId":"a\\u0000b"}', 400, "validation.json"],
    ["half a surrogate pair", '{"accountId":"\\ud83d"}', 400, "validation.json"],
    ["invalid UTF-8", bytes(0x22, 0xc3, 0x28, 0x22), 400, "validation.encoding"],
    ["an overlong encoding", bytes(0x22, 0xc0, 0xaf, 0x22), 400, "validation.encoding"],
    ["an array", "[]", 422, "validation.body"],
    ["null", "null", 422, "validation.body"],
    ["a text", '"payment"', 422, "validation.body"],
    ["no member", "{}", 422, "validation.body"],
    ["an unknown member", JSON.stringify(payment({ ammount: "1.00" })), 422, "validation.body"],
    ["constructor as a member", JSON.stringify(payment({ constructor: { prototype: {} } })), 422, "validation.body"],
    ["a small currency", JSON.stringify(payment({ currency: "eur" })), 422, "validation.body"],
    ["an account with a space", JSON.stringify(payment({ accountId: "a b" })), 422, "validation.body"],
    ["a null reference", JSON.stringify(payment({ merchantReference: null })), 422, "validation.body"],
    ["an amount of zero", JSON.stringify(payment({ amount: "0.00" })), 422, "validation.amount"],
    ["a negative amount", JSON.stringify(payment({ amount: -5 })), 422, "validation.amount"],
    ["too many digits", JSON.stringify(payment({ amount: "1.001" })), 422, "validation.amount"],
    [
      "digits that yen do not have",
      JSON.stringify(payment({ amount: "1.5", currency: "JPY" })),
      422,
      "validation.amount",
    ],
    ["an exponent in a text", JSON.stringify(payment({ amount: "1e3" })), 422, "validation.amount"],
    ["a number with a fraction", '{"accountId":"a","amount":10.5,"currency":"EUR"}', 422, "validation.amount"],
    [
      "a number with a fraction of nothing",
      '{"accountId":"a","amount":10.00,"currency":"EUR"}',
      422,
      "validation.amount",
    ],
    ["a number with an exponent", '{"accountId":"a","amount":1e3,"currency":"EUR"}', 422, "validation.amount"],
    [
      "more than a number holds",
      '{"accountId":"a","amount":9007199254740993,"currency":"EUR"}',
      422,
      "validation.amount",
    ],
    ["an amount beyond the limit", JSON.stringify(payment({ amount: "9999999999999.00" })), 422, "validation.amount"],
    ["more than 256 KiB", big(256 * 1024 + 1), 413, "validation.too_large"],
  ])("refuses %s and records nothing", async (_what, body, status, code) => {
    const before = await footprint(host);
    const answer = await send("/payments", body);
    expect(answer.json).toMatchObject({ status, code, retryable: false });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      "x-should-retry": "false",
      "content-type": "application/problem+json",
      "cache-control": "no-store",
    });
    if (status === 422) {
      const [finding] = answer.json?.["errors"] as { path: unknown; message: unknown }[];
      expect([typeof finding?.path, typeof finding?.message]).toEqual(["string", "string"]);
    }
    expect(await footprint(host)).toEqual(before);
  });

  it("names members, never their values", async () => {
    const answer = await send("/payments", JSON.stringify(payment({ currency: "secret-value", accountId: "" })));
    expect(answer.text).not.toContain("secret-value");
    const paths = (answer.json?.["errors"] as { path: string }[]).map(({ path }) => path);
    expect(paths.sort()).toEqual(["accountId", "currency"]);
  });

  it("HTTP-3 reads a body up to 256 KiB, also one without a length", async () => {
    expect((await send("/payments", big(256 * 1024))).status).toBe(422);
    const chunked = [
      ["content-type", "application/json"],
      ["transfer-encoding", "chunked"],
    ] as const;
    expect((await send("/payments", big(256 * 1024 + 1), chunked)).status).toBe(413);
    expect((await send("/payments", JSON.stringify(payment()), chunked)).status).toBe(201);
  });

  it.each<[string, readonly (readonly [string, string])[]]>([
    ["no type", []],
    ["a form", [["content-type", "application/x-www-form-urlencoded"]]],
    ["text", [["content-type", "text/plain"]]],
    ["JSON of another character set", [["content-type", "application/json; charset=utf-16"]]],
    [
      "a compressed body",
      [
        ["content-type", "application/json"],
        ["content-encoding", "gzip"],
      ],
    ],
  ])("refuses %s with 415", async (_what, headers) => {
    const answer = await send("/payments", GOOD, headers);
    expect(answer.json).toMatchObject({ status: 415, code: "validation.content_type" });
  });

  it.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "accepts %s",
    async (type) => {
      expect((await send("/payments", JSON.stringify(payment()), [["content-type", type]])).status).toBe(201);
    },
  );

  it("REFUSAL-4 a refused command leaves its key free", async () => {
    const key = randomUUID();
    const body = payment();
    expect((await till.post("/payments", { ...body, amount: "x" }, { key })).status).toBe(422);
    expect((await till.post("/payments", body, { key })).headers["idempotency-status"]).toBe("stored");
  });

  it("HTTP-4 refuses a time budget that is no number", async () => {
    const answer = await till.post("/payments", payment(), { headers: [["x-request-timeout", "soon"]] });
    expect(answer.json).toMatchObject({ status: 400, code: "validation.request_timeout" });
  });

  it("does not find what refers to nothing, and records nothing", async () => {
    const before = await footprint(host);
    const answers = [
      await till.post("/refunds", { paymentId: randomUUID(), amount: "1.00" }),
      await till.post(`/payments/${randomUUID()}/void`, {}),
      await till.post("/payments/not-a-uuid/void", {}),
      await till.get(`/payments/${randomUUID()}`),
      await till.get("/refunds/x"),
      await till.get("/accounts/none"),
    ];
    expect(answers.map(({ json }) => json?.["code"])).toEqual([
      "payment.not_found",
      "payment.not_found",
      "payment.not_found",
      "payment.not_found",
      "refund.not_found",
      "account.not_found",
    ]);
    expect(await footprint(host)).toEqual(before);
  });

  it("waits for a body no longer than the caller for the answer", async () => {
    const { hostname, port } = new URL(host.url);
    const headers = [
      "host: x",
      `authorization: Bearer ${till.apiKey}`,
      "content-type: application/json",
      "content-length: 100",
      "x-request-timeout: 2000",
      "connection: close",
    ];
    const socket = connect(Number(port), hostname);
    socket.write(`POST /api/v1/payments HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n{"accountId":`);
    // Head and body may come in two packets.
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*transient\.request_timeout/);
  });
});
