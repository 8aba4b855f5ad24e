import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { footprint, openTill, payment, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

describe.each(HOSTS)("Idempotency-Key on %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
  });
  afterAll(() => host.close());

  const id = randomUUID();
  it.each([
    ["a bare UUID, as SDKs send it", id],
    ["a quoted string, as the standard says", `"${id}-quoted"`],
    ["one character", "x"],
    ["255 characters", "k".repeat(255)],
    ["255 characters in quotes", `"${"q".repeat(255)}"`],
    ["every bare character", "!#$%&'()*+-./09:<=>?@AZ[\\]^_`az{|}~"],
    ["white space around it", "  padded  "],
    ["an escaped quote inside quotes", '"say \\"once\\""'],
    ["comma and space inside quotes", '"order 1, item 2"'],
  ])("accepts %s", async (_what, key) => {
    const answer = await till.post("/payments", payment(), { key });
    expect(answer.status).toBe(201);
    expect(answer.headers["idempotency-key"]).toBe(key.trim());
  });

  it("KEY-15 by policy a request without a key runs under one that its answer names, and says that nothing was promised", async () => {
    const tenant = `${host.tenant}-optional`;
    const free = await openTill(host, ["accounts"], tenant);
    await host.rows(
      "insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ($1, 'accounts.create', '{\"key\": \"optional\"}', 'test')",
      tenant,
    );
    const body = { accountId: `acc_${randomUUID()}`, currency: "EUR" };
    const send = (account = body.accountId, headers: readonly (readonly [string, string])[] = []) =>
      host.call({
        method: "POST",
        path: "/api/v1/accounts",
        headers: [["authorization", `Bearer ${free.apiKey}`], ["content-type", "application/json"], ...headers],
        body: JSON.stringify({ ...body, accountId: account }),
      });
    const first = await send();
    expect([first.status, first.headers["idempotency-status"]]).toEqual([201, undefined]);
    const key = String(first.headers["idempotency-key"]);
    expect(key).toMatch(/^unkeyed-/);
    const other = await send(`acc_${randomUUID()}`);
    expect(other.status).toBe(201);
    expect(other.headers["idempotency-key"]).not.toBe(key);
    expect(other.headers["operation-id"]).not.toBe(first.headers["operation-id"]);
    const again = await send(body.accountId, [["idempotency-key", key]]);
    expect([again.text, again.headers["idempotency-status"]]).toEqual([first.text, "replayed"]);
    expect((await send(body.accountId, [["idempotency-key", "a, b"]])).json?.["code"]).toBe("idempotency.key_invalid");
  });

  it.each([
    ["no header at all", [], "idempotency.key_missing"],
    ["an empty header", [""], "idempotency.key_invalid"],
    ["only white space", ["   "], "idempotency.key_invalid"],
    ["an empty string in quotes", ['""'], "idempotency.key_invalid"],
    ["only spaces in quotes", ['"  "'], "idempotency.key_invalid"],
    ["256 characters", ["k".repeat(256)], "idempotency.key_invalid"],
    ["256 characters in quotes", [`"${"q".repeat(256)}"`], "idempotency.key_invalid"],
    ["two header lines", ["a", "b"], "idempotency.key_invalid"],
    ["the same header line twice", ["a", "a"], "idempotency.key_invalid"],
    ["a list", ["a, b"], "idempotency.key_invalid"],
    ["a list without a space", ["a,b"], "idempotency.key_invalid"],
    ["a list of strings", ['"a", "b"'], "idempotency.key_invalid"],
    ["a parameter", ['"a";v=1'], "idempotency.key_invalid"],
    ["a parameter on a bare key", ["a;v=1"], "idempotency.key_invalid"],
    ["an open quote", ['"a'], "idempotency.key_invalid"],
    ["a quote inside", ['a"b'], "idempotency.key_invalid"],
    ["a wrong escape", ['"a\\b"'], "idempotency.key_invalid"],
    ["a space inside", ["a b"], "idempotency.key_invalid"],
    ["a tab inside", ["a\tb"], "idempotency.key_invalid"],
    ["a character beyond ASCII", ["caf\u00e9"], "idempotency.key_invalid"],
  ])("refuses %s and records nothing", async (_what, values, code) => {
    const before = await footprint(host);
    const answer = await till.post("/payments", payment(), {
      key: null,
      headers: values.map((value) => ["idempotency-key", value] as const),
    });
    expect(answer.json).toMatchObject({ status: 400, code, retryable: false });
    expect(answer.headers).toMatchObject({ "x-should-retry": "false", "content-type": "application/problem+json" });
    expect(answer.headers["link"]).toContain("idempotency-key");
    expect(await footprint(host)).toEqual(before);
  });

  // A host that hands on joined lines only has one good string here, which is how Structured Fields read two lines.
  it.runIf(name === "hono")("refuses two lines that would be one string if they were joined", async () => {
    const before = await footprint(host);
    const lines = ['"a', 'b"'].map((value) => ["idempotency-key", value] as const);
    const answer = await till.post("/payments", payment(), { key: null, headers: lines });
    expect(answer.json).toMatchObject({ status: 400, code: "idempotency.key_invalid" });
    expect(await footprint(host)).toEqual(before);
  });

  it("KEY-5 takes the quoted and the bare form for one key", async () => {
    const body = payment();
    const key = randomUUID();
    const bare = await till.post("/payments", body, { key });
    const quoted = await till.post("/payments", body, { key: `"${key}"` });
    expect([bare.status, quoted.status]).toEqual([201, 201]);
    expect(quoted.headers["idempotent-replayed"]).toBe("true");
    expect(quoted.bytes.equals(bare.bytes)).toBe(true);
  });

  it("KEY-7 is needed on every POST that acts", async () => {
    const made = await till.post("/payments", payment());
    const paymentId = String(made.json?.["paymentId"]);
    const calls: Promise<CheckedAnswer>[] = [
      till.post("/payments", payment(), { key: null }),
      till.post("/refunds", { paymentId, amount: "1.00" }, { key: null }),
      till.post(`/payments/${paymentId}/void`, {}, { key: null }),
      till.post("/accounts", { accountId: "acc_new", currency: "EUR" }, { key: null }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.json?.["code"]).toBe("idempotency.key_missing");
  });
});
