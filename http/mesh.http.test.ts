import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { meshTill, type MeshTill } from "./testing/mesh-till";
import { footprint, openTill, payment, tillOf, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

const URN = "urn:mesh:ext:idempotency";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const errorOf = ({ json }: CheckedAnswer): Record<string, unknown> => {
  const errors = json?.["errors"] as Record<string, unknown>[] | undefined;
  expect(errors).toHaveLength(1);
  return errors?.[0] ?? {};
};
const detailsOf = (answer: CheckedAnswer) => errorOf(answer)["details"] as Record<string, unknown>;
const resultOf = ({ json }: CheckedAnswer) => json?.["result"] as Record<string, unknown> | null;
const dataOf = ({ json }: CheckedAnswer) =>
  (json?.["extensions"] as { readonly urn: string; readonly data: Record<string, unknown> }[] | undefined)?.[0]?.data;

describe.each(HOSTS)("the mesh on %s", (name) => {
  let host: TestHost;
  let till: Till;
  let mesh: MeshTill;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    mesh = meshTill(host, till.apiKey);
  });
  afterAll(() => host.close());

  const charge = (fields: Readonly<Record<string, unknown>> = {}) => ({
    amount: 100,
    currency: "USD",
    customer_id: "cust_123",
    ...fields,
  });
  const paymentsOf = (operationId: unknown) =>
    host.rows<{ id: string }>("select id from payments.payments where operation_id = $1", operationId);

  it("MESH-1 MESH-5 a new key is processed", async () => {
    const key = randomUUID();
    const answer = await mesh.call("payments.charge", charge(), { key, id: "req_001" });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json ?? {})).toEqual(["protocol", "id", "result", "extensions"]);
    expect(answer.json).toMatchObject({ protocol: { name: "mesh", version: "0.1.0" }, id: "req_001" });
    expect(resultOf(answer)).toMatchObject({
      status: "succeeded",
      accountId: "cust_123",
      amount: "1.00",
      currency: "USD",
      charge_id: resultOf(answer)?.["paymentId"],
    });
    expect(answer.json?.["extensions"]).toEqual([
      {
        urn: URN,
        data: {
          key,
          status: "processed",
          original_request_id: "req_001",
          expires_at: answer.headers["idempotency-expires"],
        },
      },
    ]);
    expect(answer.headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
  });

  it("MESH-6 a repeat gets the same result, who was first, and since when it is kept", async () => {
    const key = randomUUID();
    const first = await mesh.call("payments.charge", charge(), { key, id: "req_001" });
    const second = await mesh.call("payments.charge", charge(), { key, id: "req_002" });
    expect([second.status, second.json?.["id"]]).toEqual([200, "req_002"]);
    expect(resultOf(second)).toEqual(resultOf(first));
    const { cached_at: cachedAt, ...data } = dataOf(second) ?? {};
    expect(data).toEqual({
      key,
      status: "cached",
      original_request_id: "req_001",
      expires_at: dataOf(first)?.["expires_at"],
    });
    const [row] = await host.rows<{ completed_at: Date }>(
      "select completed_at from onceboard.idempotency_requests where operation_id = $1",
      first.headers["operation-id"],
    );
    expect(cachedAt).toBe(row?.completed_at.toISOString());
    expect(second.headers).toMatchObject({ "idempotency-status": "replayed", "idempotent-replayed": "true" });
    expect(await paymentsOf(first.headers["operation-id"])).toHaveLength(1);
  });

  it("MESH-5 who was first stays so when its attempt failed without effect and a later one was processed", async () => {
    const key = randomUUID();
    await host.faults({ rate_limit: 1 });
    const failed = await mesh.call("payments.charge", charge(), { key, id: "req_001" });
    await host.faults({});
    expect([failed.status, errorOf(failed)["code"], errorOf(failed)["retryable"]]).toEqual([
      503,
      "DEPENDENCY_UNAVAILABLE",
      true,
    ]);
    const second = await mesh.call("payments.charge", charge(), { key, id: "req_002" });
    const third = await mesh.call("payments.charge", charge(), { key, id: "req_003" });
    expect(dataOf(second)).toMatchObject({ status: "processed", original_request_id: "req_001" });
    expect(dataOf(third)).toMatchObject({ status: "cached", original_request_id: "req_001" });
  });

  it("MESH-8 other arguments are a conflict that tells the hash of the first arguments", async () => {
    const key = randomUUID();
    await mesh.call("payments.charge", charge(), { key, id: "req_001" });
    const answer = await mesh.call("payments.charge", charge({ amount: 10_007 }), { key, id: "req_003" });
    expect(answer.status).toBe(409);
    expect(Object.keys(answer.json ?? {})).toEqual(["protocol", "id", "result", "errors", "extensions"]);
    expect(resultOf(answer)).toBeNull();
    const { original_arguments_hash: hash, ...details } = detailsOf(answer);
    expect(errorOf(answer)).toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
      message: "Idempotency key already used with different arguments",
      retryable: false,
    });
    expect(details).toEqual({ key });
    expect(dataOf(answer)).toEqual({ key, status: "conflict", original_request_id: "req_001" });
    expect(hash).toBe(`sha256:${sha256('{"amount":100,"currency":"USD","customer_id":"cust_123"}')}`);
    expect(answer.text).not.toContain("10007");
    expect(answer.headers).toMatchObject({ "x-should-retry": "false", "stripe-should-retry": "false" });
  });

  it("MESH-8 the hash is that of the first arguments as they were sent, also over HTTP, until they are purged", async () => {
    const key = randomUUID();
    const made = await till.post(
      "/payments",
      { merchantReference: "ref-1", currency: "EUR", accountId: "acc_1", amount: "1.00" },
      { key },
    );
    expect(made.status).toBe(201);
    const conflict = () => mesh.call("payments.charge", charge({ amount: 7 }), { key });
    const sent = `sha256:${sha256('{"accountId":"acc_1","amount":"1.00","currency":"EUR","merchantReference":"ref-1"}')}`;
    expect(detailsOf(await conflict())).toEqual({ key, original_arguments_hash: sent });
    const operationId = made.headers["operation-id"];
    await host.rows("delete from onceboard.idempotency_bodies where operation_id = $1", operationId);
    expect(detailsOf(await conflict())).toEqual({ key });
  });

  it("MESH-4 a result is kept under the hash of key, function and version, which the operation's page shows", async () => {
    const key = randomUUID();
    const expected = sha256(`{"function":"payments.charge","key":"${key}","version":"1"}`);
    const first = await mesh.call("payments.charge", charge(), { key });
    const [row] = await host.rows<{ operation_id: string }>(
      "select operation_id from onceboard.idempotency_requests where tenant_id = $1 and identity_hash = decode($2, 'hex')",
      host.tenant,
      expected,
    );
    expect(row?.operation_id).toBe(first.headers["operation-id"]);
    const admin = tillOf(host, await host.key(["admin"]));
    const page = await admin.get(`/admin/operations/${String(first.headers["operation-id"])}`);
    expect(page.json).toMatchObject({ command: { meshIdentity: `sha256:${expected}` } });
  });

  it("MESH-7 while the first one works nothing is started, and a caller knows when to come back", async () => {
    const key = randomUUID();
    await host.faults({ slow_ms: 700 });
    const running = mesh.call("payments.charge", charge(), { key, id: "req_001" });
    const open = () => host.rows("select 1 from onceboard.idempotency_open where key = $1", key);
    await expect.poll(async () => (await open()).length).toBe(1);
    const same = await mesh.call("payments.charge", charge(), { key, id: "req_004" });
    const other = await mesh.call("payments.charge", charge({ amount: 7 }), { key, id: "req_005" });
    await host.faults({});
    expect(same.status).toBe(409);
    expect(same.json).toEqual({
      protocol: { name: "mesh", version: "0.1.0" },
      id: "req_004",
      result: null,
      errors: [
        {
          code: "IDEMPOTENCY_PROCESSING",
          message: "Previous request with this key is still processing",
          retryable: true,
          details: { key, retry_after: { value: 2, unit: "second" } },
        },
      ],
    });
    expect(same.headers["retry-after"]).toBe("2");
    expect(same.headers["x-should-retry"]).toBeUndefined();
    expect([errorOf(other)["code"], dataOf(other)?.["original_request_id"]]).toEqual([
      "IDEMPOTENCY_CONFLICT",
      "req_001",
    ]);
    const first = await running;
    expect(dataOf(first)?.["status"]).toBe("processed");
    expect(await paymentsOf(first.headers["operation-id"])).toHaveLength(1);
  });

  it("MESH-9 one key through HTTP and through the mesh is one operation, whoever was first", async () => {
    const key = randomUUID();
    const command = payment({ amount: "12.00" });
    const http = await till.post("/payments", command, { key });
    const { accountId, ...rest } = command;
    const cached = await mesh.call("payments.charge", { ...rest, customer_id: accountId, amount: 1200 }, { key });
    expect(resultOf(cached)).toEqual({ charge_id: http.json?.["paymentId"], ...http.json });
    expect(dataOf(cached)).toMatchObject({ status: "cached", original_request_id: http.headers["request-id"] });
    expect(cached.headers["operation-id"]).toBe(http.headers["operation-id"]);
    const key2 = randomUUID();
    const first = await mesh.call("payments.charge", charge(), { key: key2 });
    const body = { accountId: "cust_123", amount: "1.00", currency: "USD" };
    const replay = await till.post("/payments", body, { key: key2 });
    expect([replay.status, replay.headers["idempotent-replayed"]]).toEqual([201, "true"]);
    expect(replay.json?.["paymentId"]).toBe(resultOf(first)?.["charge_id"]);
  });

  it("MESH-9 refunds and voids are the operations of the HTTP routes, with the mesh's names for ids", async () => {
    const made = await mesh.call("payments.charge", charge(), { key: randomUUID() });
    const chargeId = String(resultOf(made)?.["charge_id"]);
    const key = randomUUID();
    const refund = await mesh.call("payments.refund", { charge_id: chargeId, amount: 40 }, { key });
    expect(resultOf(refund)).toMatchObject({
      refund_id: resultOf(refund)?.["refundId"],
      charge_id: chargeId,
      paymentId: chargeId,
      amount: "0.40",
      status: "succeeded",
    });
    const overHttp = await till.post("/refunds", { paymentId: chargeId, amount: "0.40" }, { key });
    expect([overHttp.headers["idempotent-replayed"], overHttp.json?.["refundId"]]).toEqual([
      "true",
      resultOf(refund)?.["refund_id"],
    ]);
    const tooMuch = await mesh.call("payments.refund", { charge_id: chargeId, amount: 61 }, { key: randomUUID() });
    expect(errorOf(tooMuch)).toMatchObject({
      code: "REFUND_EXCEEDS_REMAINING",
      retryable: false,
      details: { remaining: "0.60", currency: "USD" },
    });
    const other = await mesh.call("payments.charge", charge(), { key: randomUUID() });
    const otherId = String(resultOf(other)?.["charge_id"]);
    const voidKey = randomUUID();
    const voided = await mesh.call("payments.void", { paymentId: otherId }, { key: voidKey });
    expect(resultOf(voided)).toMatchObject({ charge_id: otherId, status: "voided" });
    const again = await till.post(`/payments/${otherId}/void`, {}, { key: voidKey });
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
  });

  it("MESH-4 a key belongs to one function", async () => {
    const key = randomUUID();
    const made = await mesh.call("payments.charge", charge(), { key });
    const args = { charge_id: resultOf(made)?.["charge_id"], amount: 10 };
    const refund = await mesh.call("payments.refund", args, { key });
    expect(dataOf(refund)?.["status"]).toBe("processed");
  });

  it("a refusal of the business is processed once and cached as it was", async () => {
    const key = randomUUID();
    const first = await mesh.call("payments.charge", charge({ amount: 1251 }), { key, id: "req_001" });
    const again = await mesh.call("payments.charge", charge({ amount: 1251 }), { key, id: "req_002" });
    for (const [answer, status] of [[first, "processed"] as const, [again, "cached"] as const]) {
      expect([answer.status, resultOf(answer), dataOf(answer)?.["status"]]).toEqual([200, null, status]);
      expect(errorOf(answer)).toEqual({
        code: "PAYMENT_INSUFFICIENT_FUNDS",
        message: "The account has insufficient funds",
        retryable: false,
        details: { key, operation_id: first.headers["operation-id"] },
      });
      expect(answer.headers["x-should-retry"]).toBe("false");
    }
  });

  it("tells lost, unknown, expired and purged outcomes in the envelope", async () => {
    const key = randomUUID();
    await host.faults({ timeout_after_accept: 1, lookup_down: 1 });
    const lost = await mesh.call("payments.charge", charge(), {
      key,
      id: "req_001",
      headers: [["x-request-timeout", "400"]],
    });
    const unknown = await mesh.call("payments.charge", charge(), { key });
    await host.faults({});
    expect([lost.status, errorOf(lost)["code"], errorOf(lost)["retryable"]]).toEqual([504, "DEPENDENCY_TIMEOUT", true]);
    expect([unknown.status, errorOf(unknown)["code"]]).toEqual([409, "IDEMPOTENCY_OUTCOME_UNKNOWN"]);
    expect(detailsOf(unknown)).toMatchObject({
      operation_state: "UNKNOWN_REQUIRES_RECOVERY",
      retry_after: { value: 60, unit: "second" },
    });
    expect(dataOf(unknown)).toMatchObject({ status: "processing", original_request_id: "req_001" });
    const settled = randomUUID();
    const made = await mesh.call("payments.charge", charge(), { key: settled, id: "req_001" });
    const operationId = made.headers["operation-id"];
    await host.rows(
      "delete from onceboard.idempotency_bodies where operation_id = $1 and kind = 'response'",
      operationId,
    );
    const purged = await mesh.call("payments.charge", charge(), { key: settled });
    expect([purged.status, errorOf(purged)["code"]]).toEqual([410, "IDEMPOTENCY_RESPONSE_PURGED"]);
    expect(detailsOf(purged)["resource"]).toEqual({ type: "payment", id: resultOf(made)?.["charge_id"] });
    await host.rows(
      "update onceboard.idempotency_requests set expires_at = clock_timestamp() where operation_id = $1",
      operationId,
    );
    const expired = await mesh.call("payments.charge", charge(), { key: settled });
    expect([expired.status, errorOf(expired)["code"]]).toEqual([410, "IDEMPOTENCY_KEY_EXPIRED"]);
    expect(dataOf(expired)).toMatchObject({ status: "expired", original_request_id: "req_001" });
  });

  it("tells another client of the tenant nothing about the first call", async () => {
    const key = randomUUID();
    await mesh.call("payments.charge", charge(), { key });
    const apiKey = await host.key(["payments"], { name: "other-till" });
    const answer = await meshTill(host, apiKey).call("payments.charge", charge(), { key });
    expect([answer.status, errorOf(answer)["code"]]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    expect(detailsOf(answer)).toEqual({ key });
    expect(dataOf(answer)).toEqual({ key, status: "conflict" });
    expect(answer.headers["operation-id"]).toBeUndefined();
  });

  it.each([
    [{ value: 2, unit: "hour" }, 2 * 3_600],
    [{ value: 90, unit: "second" }, 90],
    [{ value: 30, unit: "day" }, 24 * 3_600],
    [undefined, 24 * 3_600],
  ])("MESH-2 a ttl of %o is the window, up to the operation's own", async (ttl, seconds) => {
    const key = randomUUID();
    const answer = await mesh.call("payments.charge", charge(), { key, ...(ttl && { ttl }) });
    const [row] = await host.rows<{ seconds: number }>(
      "select extract(epoch from expires_at - created_at)::float8 as seconds from onceboard.idempotency_requests where operation_id = $1",
      answer.headers["operation-id"],
    );
    expect(row?.seconds).toBe(seconds);
    expect(Date.parse(String(dataOf(answer)?.["expires_at"]))).toBeLessThanOrEqual(Date.now() + seconds * 1_000);
  });

  it.each<[string, unknown, string, string]>([
    ["no options", undefined, "IDEMPOTENCY_KEY_MISSING", ""],
    ["no key", { ttl: { value: 1, unit: "hour" } }, "IDEMPOTENCY_KEY_MISSING", ""],
    ["an empty key", { key: "" }, "IDEMPOTENCY_KEY_INVALID", ""],
    ["a key that is no text", { key: 7 }, "VALIDATION_EXTENSION", "options.key"],
    ["a key beyond ASCII", { key: "caf\u00e9" }, "IDEMPOTENCY_KEY_INVALID", ""],
    ["256 characters", { key: "k".repeat(256) }, "IDEMPOTENCY_KEY_INVALID", ""],
    ["an unknown option", { key: "k", tll: 1 }, "VALIDATION_EXTENSION", "options"],
    ["a ttl that is a number", { key: "k", ttl: 60 }, "VALIDATION_EXTENSION", "options.ttl"],
    ["a ttl of nothing", { key: "k", ttl: { value: 0, unit: "hour" } }, "VALIDATION_EXTENSION", "options.ttl.value"],
    ["half an hour", { key: "k", ttl: { value: 0.5, unit: "hour" } }, "VALIDATION_EXTENSION", "options.ttl.value"],
    ["a fortnight", { key: "k", ttl: { value: 1, unit: "fortnight" } }, "VALIDATION_EXTENSION", "options.ttl.unit"],
    ["options that are a text", "k", "VALIDATION_EXTENSION", "options"],
  ])("MESH-3 refuses an extension with %s and records nothing", async (_what, options, code, path) => {
    const before = await footprint(host);
    const extensions = [{ urn: URN, ...(options !== undefined && { options }) }];
    const answer = await mesh.send({ ...mesh.envelope("payments.charge", charge()), extensions });
    expect([answer.status, errorOf(answer)["code"], errorOf(answer)["retryable"]]).toEqual([400, code, false]);
    if (path !== "") expect(detailsOf(answer)["errors"]).toMatchObject([{ path }]);
    expect(await footprint(host)).toEqual(before);
  });

  it("MESH-3 unknown extensions are ignored, ours twice is an error, and none is a missing key", async () => {
    const key = randomUUID();
    const ours = { urn: URN, options: { key } };
    const others = [{ urn: "urn:mesh:ext:tracing", options: { anything: [1, 2] } }, { urn: "urn:example:ext" }];
    const call = mesh.envelope("payments.charge", charge());
    const twice = await mesh.send({ ...call, extensions: [ours, ...others, ours] });
    expect([twice.status, errorOf(twice)["code"]]).toEqual([400, "VALIDATION_EXTENSION"]);
    const none = await mesh.send({ ...call, extensions: others });
    expect([none.status, errorOf(none)["code"]]).toEqual([400, "IDEMPOTENCY_KEY_MISSING"]);
    const { extensions: _none, ...without } = call;
    expect(errorOf(await mesh.send(without))["code"]).toBe("IDEMPOTENCY_KEY_MISSING");
    const answer = await mesh.send({ ...call, extensions: [...others, ours] });
    expect(answer.json?.["extensions"]).toHaveLength(1);
    expect(dataOf(answer)?.["status"]).toBe("processed");
  });

  it.each<[string, (call: Record<string, unknown>) => unknown, number, string, string]>([
    ["no protocol", ({ protocol: _, ...rest }) => rest, 400, "VALIDATION_ENVELOPE", "protocol"],
    [
      "another protocol",
      (c) => ({ ...c, protocol: { name: "json-rpc", version: "0.1.0" } }),
      400,
      "VALIDATION_ENVELOPE",
      "protocol.name",
    ],
    [
      "another version",
      (c) => ({ ...c, protocol: { name: "mesh", version: "2.0.0" } }),
      400,
      "VALIDATION_ENVELOPE",
      "protocol.version",
    ],
    ["no id", ({ id: _, ...rest }) => rest, 400, "VALIDATION_ENVELOPE", "id"],
    ["an id with a space", (c) => ({ ...c, id: "req 1" }), 400, "VALIDATION_ENVELOPE", "id"],
    ["no call", ({ call: _, ...rest }) => rest, 400, "VALIDATION_ENVELOPE", "call"],
    [
      "arguments that are a list",
      (c) => ({ ...c, call: { function: "payments.charge", version: "1", arguments: [] } }),
      400,
      "VALIDATION_ENVELOPE",
      "call.arguments",
    ],
    ["extensions that are no list", (c) => ({ ...c, extensions: {} }), 400, "VALIDATION_ENVELOPE", "extensions"],
    [
      "33 extensions",
      (c) => ({ ...c, extensions: Array.from({ length: 33 }, () => ({ urn: "urn:x" })) }),
      400,
      "VALIDATION_ENVELOPE",
      "extensions",
    ],
    ["a list", () => [], 400, "VALIDATION_ENVELOPE", ""],
    [
      "an unknown function",
      (c) => ({ ...c, call: { function: "payments.steal", version: "1", arguments: {} } }),
      404,
      "FUNCTION_NOT_FOUND",
      "-",
    ],
    [
      "an unknown version",
      (c) => ({ ...c, call: { function: "payments.charge", version: "2", arguments: {} } }),
      404,
      "FUNCTION_NOT_FOUND",
      "-",
    ],
  ])("refuses an envelope with %s", async (_what, change, status, code, path) => {
    const before = await footprint(host);
    const answer = await mesh.send(change(mesh.envelope("payments.charge", charge(), { id: "req_9" })));
    expect([answer.status, errorOf(answer)["code"]]).toEqual([status, code]);
    expect(answer.json).toMatchObject({ protocol: { name: "mesh", version: "0.1.0" }, result: null });
    expect(answer.json?.["id"]).toBe(path === "id" || path === "" ? null : "req_9");
    if (path !== "-") expect(detailsOf(answer)["errors"]).toMatchObject([{ path }]);
    expect(answer.headers["x-should-retry"]).toBe("false");
    expect(await footprint(host)).toEqual(before);
  });

  it.each<[string, string, Readonly<Record<string, unknown>>, string, string]>([
    ["an unknown argument", "payments.charge", { amout: 1 }, "VALIDATION_BODY", ""],
    ["both names of the account", "payments.charge", { accountId: "a" }, "VALIDATION_BODY", ""],
    ["a negative amount", "payments.charge", { amount: -1 }, "VALIDATION_AMOUNT", "amount"],
    ["no payment", "payments.void", {}, "VALIDATION_BODY", ""],
  ])("validates arguments like the HTTP routes: %s", async (_what, fn, fields, code, path) => {
    const before = await footprint(host);
    const answer = await mesh.call(fn, charge(fields), { key: randomUUID() });
    expect([answer.status, errorOf(answer)["code"]]).toEqual([422, code]);
    if (path !== "") expect(detailsOf(answer)["errors"]).toMatchObject([{ path }]);
    expect(await footprint(host)).toEqual(before);
  });

  it("COMMAND-8 refuses an amount with a fraction where the number was written, and nothing else with one", async () => {
    const text = (amount: string, more = "") =>
      `{"protocol":{"name":"mesh","version":"0.1.0"},"id":"r","call":{"function":"payments.charge","version":"1","arguments":{"amount":${amount},"currency":"USD","customer_id":"c"}},"extensions":[{"urn":"${URN}","options":{"key":"${randomUUID()}"}}${more}]}`;
    expect(errorOf(await mesh.raw(text("1.00")))["code"]).toBe("VALIDATION_AMOUNT");
    expect(errorOf(await mesh.raw(text("1e2")))["code"]).toBe("VALIDATION_AMOUNT");
    const other = await mesh.raw(text("100", ',{"urn":"urn:x","options":{"amount":1.5}}'));
    expect(dataOf(other)?.["status"]).toBe("processed");
  });

  it("an error before the envelope is an envelope too", async () => {
    const malformed = await mesh.raw('{"id":');
    expect([malformed.status, malformed.json?.["id"], errorOf(malformed)["code"]]).toEqual([
      400,
      null,
      "VALIDATION_JSON",
    ]);
    const nobody = await meshTill(host, "nothing").call("payments.charge", charge(), { key: randomUUID() });
    expect([nobody.status, errorOf(nobody)["code"]]).toEqual([401, "AUTH_UNAUTHENTICATED"]);
    expect(nobody.headers["www-authenticate"]).toBe('Bearer realm="onceboard"');
    const listener = meshTill(host, await host.key(["events"], { name: "listener" }));
    const forbidden = await listener.call("payments.charge", charge(), { key: randomUUID() });
    expect([forbidden.status, errorOf(forbidden)["code"]]).toEqual([403, "AUTH_FORBIDDEN"]);
  });

  it("takes a key with comma and space, the same as a quoted header", async () => {
    const key = `order ${randomUUID()}, item 2`;
    const args = charge();
    expect((await mesh.call("payments.charge", args, { key, id: "req_001" })).status).toBe(200);
    const header = ["idempotency-key", `"${key}"`] as const;
    const again = await mesh.call("payments.charge", args, { key, id: "req_002", headers: [header] });
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
  });

  it("the extension's key counts: the same header is fine, another one or a bad one is refused", async () => {
    const key = randomUUID();
    const call = (value: string) =>
      mesh.call("payments.charge", charge(), { key, headers: [["idempotency-key", value]] });
    for (const value of [randomUUID(), "two words", ""]) {
      const answer = await call(value);
      expect([answer.status, errorOf(answer)["code"]]).toEqual([400, "IDEMPOTENCY_KEY_INVALID"]);
    }
    expect(await host.rows("select 1 from onceboard.idempotency_requests where key = $1", key)).toHaveLength(0);
    const quoted = await call(`"${key}"`);
    expect([dataOf(quoted)?.["status"], quoted.headers["idempotency-key"]]).toEqual(["processed", `"${key}"`]);
    expect(dataOf(await call(key))?.["status"]).toBe("cached");
  });

  it("a key may be any that the header may be, quoted", async () => {
    const key = `order "7" \\ ${randomUUID()}; pay`;
    const made = await mesh.call("payments.charge", charge(), { key });
    expect(dataOf(made)?.["key"]).toBe(key);
    const quoted = `"${key.replaceAll(/["\\]/g, "\\$&")}"`;
    const body = { accountId: "cust_123", amount: "1.00", currency: "USD" };
    expect((await till.post("/payments", body, { key: quoted })).headers["idempotent-replayed"]).toBe("true");
  });

  it("KEY-2 ten at once have one effect", async () => {
    const key = randomUUID();
    const calls = Array.from({ length: 10 }, (_, index) =>
      mesh.call("payments.charge", charge(), { key, id: `req_${String(index)}` }),
    );
    const answers = await Promise.all(calls);
    const processed = answers.filter((answer) => dataOf(answer)?.["status"] === "processed");
    expect(processed).toHaveLength(1);
    for (const answer of answers) {
      expect(answer.status === 200 || errorOf(answer)["code"] === "IDEMPOTENCY_PROCESSING").toBe(true);
    }
    const operationId = processed[0]?.headers["operation-id"];
    expect(operationId).toMatch(UUID);
    expect(await paymentsOf(operationId)).toHaveLength(1);
  });
});

describe("the mesh's limits", () => {
  it("HTTP-2 REPLAY-9 refuses with 429, records nothing, and does not charge a replay", async () => {
    const host = await openHost("hono", { limits: { calls: { perSecond: 0.001, burst: 1 } } });
    const mesh = meshTill(host, (await openTill(host)).apiKey);
    const args = { amount: 100, currency: "USD", customer_id: "c" };
    const key = randomUUID();
    expect((await mesh.call("payments.charge", args, { key })).status).toBe(200);
    const refused = await mesh.call("payments.charge", args, { key });
    expect([refused.status, refused.json?.["id"], errorOf(refused)["code"]]).toEqual([
      429,
      null,
      "RATE_LIMIT_EXCEEDED",
    ]);
    expect(detailsOf(refused)["retry_after"]).toEqual({ value: 1000, unit: "second" });
    const other = meshTill(host, await host.key(["payments"]));
    const replay = await other.call("payments.charge", args, { key });
    expect(dataOf(replay)?.["status"]).toBe("cached");
    expect(dataOf(await other.call("payments.charge", args, { key }))?.["status"]).toBe("cached");
    await host.close();
  });

  it("says in the envelope that the database is away", async () => {
    const host = await openHost("hono", { relayed: true });
    const till = tillOf(host, await host.key(["payments"]));
    const mesh = meshTill(host, till.apiKey);
    const args = { amount: 100, currency: "USD", customer_id: "c" };
    await mesh.call("payments.charge", args, { key: randomUUID() });
    await host.cutDatabase();
    const answer = await mesh.call("payments.charge", args, { key: randomUUID(), id: "req_7" });
    expect([answer.status, answer.json?.["id"], errorOf(answer)["code"], errorOf(answer)["retryable"]]).toEqual([
      503,
      "req_7",
      "DEPENDENCY_UNAVAILABLE",
      true,
    ]);
    await host.close();
  });
});
