import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeApiKey } from "@/auth/api-keys/api-keys";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { signedIn } from "./testing/signed-in";
import { footprint, openTill, payment, tillOf, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

describe.each(HOSTS)("access to %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    await openTill(host, ["payments"], host.otherTenant);
  });
  afterAll(() => host.close());

  it.each([
    ["no header", undefined],
    ["another scheme", "Basic dTpw"],
    ["no key", "Bearer"],
    ["something that is no key", "Bearer secret"],
    ["a made-up key", `Bearer ob_${"0".repeat(20)}_${"A".repeat(43)}`],
  ])("refuses %s with 401 and records nothing", async (_what, authorization) => {
    const before = await footprint(host);
    const headers: [string, string][] = [
      ["content-type", "application/json"],
      ["idempotency-key", randomUUID()],
    ];
    if (authorization !== undefined) headers.push(["authorization", authorization]);
    const answer = await host.call({
      method: "POST",
      path: "/api/v1/payments",
      headers,
      body: JSON.stringify(payment()),
    });
    expect(answer.json).toMatchObject({ status: 401, code: "auth.unauthenticated", retryable: false });
    expect(answer.headers).toMatchObject({ "www-authenticate": 'Bearer realm="onceboard"', "x-should-retry": "false" });
    expect(await footprint(host)).toEqual(before);
  });

  it("HTTP-1 is asked before anything that was sent is looked at", async () => {
    const answer = await host.call({ method: "POST", path: "/api/v1/payments", body: "{" });
    expect(answer.json?.["code"]).toBe("auth.unauthenticated");
  });

  it.each([
    ["accounts", "POST", "/payments"],
    ["events", "POST", "/refunds"],
    ["events", "GET", `/operations/${randomUUID()}`],
    ["events", "GET", "/accounts/a"],
    ["events", "POST", "/accounts"],
    ["events", "PUT", "/accounts/a/settings/default-currency"],
    ["admin", "POST", "/payments"],
    ["payments", "GET", "/admin/operations"],
    ["payments", "POST", `/admin/operations/${randomUUID()}/reconcile`],
  ])("a key of scope %s may not %s %s", async (scope, method, path) => {
    const before = await footprint(host);
    const apiKey = await host.key([scope]);
    const answer = await host.call({
      method,
      path: `/api/v1${path}`,
      headers: [
        ["authorization", `Bearer ${apiKey}`],
        ["content-type", "application/json"],
        ["idempotency-key", randomUUID()],
      ],
      ...(method === "GET" ? {} : { body: "{}" }),
    });
    expect(answer.json).toMatchObject({ status: 403, code: "auth.forbidden", retryable: false });
    expect(await footprint(host)).toEqual(before);
  });

  it("REPLAY-7 asks again before a replay: a revoked key and a lost scope get no stored answer", async () => {
    const key = randomUUID();
    const body = payment();
    const own = await host.key(["payments"], { name: "leaver" });
    const weaker = await host.key(["accounts"], { name: "leaver" });
    expect((await tillOf(host, own).post("/payments", body, { key })).status).toBe(201);
    expect((await tillOf(host, weaker).post("/payments", body, { key })).status).toBe(403);
    await revokeApiKey(host.db, host.tenant, own.split("_")[1] ?? "");
    await expect
      .poll(async () => (await tillOf(host, own).post("/payments", body, { key })).status, {
        timeout: 5_000,
        interval: 200,
      })
      .toBe(401);
  });

  it("KEY-3 KEY-4 a key belongs to one tenant and one operation, and tells another client nothing", async () => {
    const key = randomUUID();
    const body = payment();
    const mine = await till.post("/payments", body, { key });
    const stranger = await openTill(host, ["payments"], host.otherTenant);
    const theirs = await stranger.post("/payments", body, { key });
    expect(theirs.headers["idempotency-status"]).toBe("stored");
    expect(theirs.headers["operation-id"]).not.toBe(mine.headers["operation-id"]);
    const paymentId = String(mine.json?.["paymentId"]);
    expect((await stranger.get(`/payments/${paymentId}`)).json?.["code"]).toBe("payment.not_found");
    expect((await stranger.post("/refunds", { paymentId, amount: "1.00" })).json?.["code"]).toBe("payment.not_found");
    expect((await till.post("/refunds", { paymentId, amount: "1.00" }, { key })).headers["idempotency-status"]).toBe(
      "stored",
    );
    const colleague = tillOf(host, await host.key(["payments"], { name: "other-till" }));
    const result = await colleague.post("/payments", body, { key });
    expect(result.json).toMatchObject({ code: "idempotency.payload_mismatch", differingFields: [] });
    expect([result.headers["operation-id"], result.json?.["operationId"]]).toEqual([undefined, undefined]);
  });

  it("HTTP-7 a name that nothing can have is not found, and no error of ours", async () => {
    const admin = tillOf(host, await host.key(["admin"]));
    for (const list of ["clients", "consumers", "topics", "operations", "inbox", "outbox", "plans", "views", "audit"]) {
      for (const id of ["%00", "a%00b", "%0A", "%FF", "x".repeat(3_000), randomUUID()]) {
        expect([list, id, (await admin.get(`/admin/${list}/${id}`)).status]).toEqual([list, id, 404]);
      }
    }
    const revoke = await admin.post(`/admin/clients/a%00b/keys/${randomUUID()}/revoke`, { reason: "x" });
    expect(revoke.status).toBe(404);
  });

  it("an unknown address is a problem document", async () => {
    for (const path of ["/api/v1/nothing", "/api/nothing", "/api/v1/payments/x/y/z"]) {
      const answer = await host.call({ path });
      expect(answer.json).toMatchObject({ status: 404, code: "route.not_found" });
    }
  });

  describe("of the console", () => {
    let cookie: string;
    const id = randomUUID();
    const action = `/api/v1/admin/operations/${id}/reconcile`;

    beforeAll(async () => {
      cookie = await signedIn(host, "operator");
    });

    const act = (headers: readonly (readonly [string, string])[], body = "{}"): Promise<CheckedAnswer> =>
      host.call({
        method: "POST",
        path: `${action}?tenant=${host.tenant}`,
        headers: [["cookie", cookie], ["idempotency-key", randomUUID()], ...headers],
        body,
      });
    const json = ["content-type", "application/json"] as const;

    it("lets an action of its own page through to the action", async () => {
      const answer = await act([json, ["origin", host.url], ["sec-fetch-site", "same-origin"]]);
      expect(answer.json?.["code"]).toBe("operation.not_found");
    });

    it.each<[string, readonly (readonly [string, string])[], number, string]>([
      ["without an Origin", [json], 403, "auth.cross_site"],
      ["with the Origin null", [json, ["origin", "null"]], 403, "auth.cross_site"],
      ["of another site", [json, ["origin", "https://evil.example"]], 403, "auth.cross_site"],
      ["of another port", [json, ["origin", "http://127.0.0.1:1"]], 403, "auth.cross_site"],
      ["of a longer host", [json, ["origin", "http://localhost:3000.evil.example"]], 403, "auth.cross_site"],
      [
        "that Fetch Metadata calls cross-site",
        [json, ["origin", "http://localhost:3000"], ["sec-fetch-site", "cross-site"]],
        403,
        "auth.cross_site",
      ],
      [
        "that Fetch Metadata calls same-site",
        [json, ["origin", "http://localhost:3000"], ["sec-fetch-site", "same-site"]],
        403,
        "auth.cross_site",
      ],
      [
        "as a form",
        [
          ["content-type", "application/x-www-form-urlencoded"],
          ["origin", "http://localhost:3000"],
        ],
        415,
        "validation.content_type",
      ],
      [
        "as text",
        [
          ["content-type", "text/plain"],
          ["origin", "http://localhost:3000"],
        ],
        415,
        "validation.content_type",
      ],
      ["without a type", [["origin", "http://localhost:3000"]], 415, "validation.content_type"],
    ])("refuses an action %s", async (_what, headers, status, code) => {
      expect((await act(headers)).json).toMatchObject({ status, code });
    });

    it("never acts on a GET, and knows nobody without a session", async () => {
      const get = await host.call({ path: `${action}?tenant=${host.tenant}`, headers: [["cookie", cookie]] });
      expect(get.status).toBe(404);
      const nobody = await host.call({
        method: "POST",
        path: action,
        headers: [json, ["origin", host.url]],
        body: "{}",
      });
      expect(nobody.json).toMatchObject({ status: 401, code: "auth.unauthenticated" });
    });

    it("needs a tenant that exists when there are several", async () => {
      const headers = [["cookie", cookie], json, ["origin", host.url], ["idempotency-key", randomUUID()]] as const;
      const call = (query: string) => host.call({ method: "POST", path: `${action}${query}`, headers, body: "{}" });
      expect((await call("")).json?.["code"]).toBe("tenant.missing");
      expect((await call("?tenant=nobody")).json?.["code"]).toBe("tenant.not_found");
    });

    it("lets a key of scope admin in without an Origin, in its own tenant only", async () => {
      const apiKey = await host.key(["admin"]);
      const headers = [["authorization", `Bearer ${apiKey}`], json, ["idempotency-key", randomUUID()]] as const;
      const own = await host.call({ method: "POST", path: action, headers, body: "{}" });
      expect(own.json?.["code"]).toBe("operation.not_found");
      const other = await host.call({
        method: "POST",
        path: `${action}?tenant=${host.otherTenant}`,
        headers,
        body: "{}",
      });
      expect(other.json).toMatchObject({ status: 403, code: "auth.tenant" });
    });
  });
});

describe("the rate limit", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openHost("hono", { limits: { calls: { perSecond: 0.001, burst: 3 } } });
  });
  afterAll(() => host.close());

  it("HTTP-2 REPLAY-9 refuses with 429 and Retry-After, records nothing, and does not charge a replay", async () => {
    const till = await openTill(host);
    const key = randomUUID();
    const body = payment();
    expect((await till.post("/payments", body, { key })).status).toBe(201);
    for (let count = 0; count < 5; count += 1)
      expect((await till.post("/payments", body, { key })).headers["idempotent-replayed"]).toBe("true");
    expect((await till.post("/payments", payment())).status).toBe(201);
    expect((await till.post("/payments", payment())).status).toBe(201);
    const before = await footprint(host);
    const spare = randomUUID();
    const refused = await till.post("/payments", payment(), { key: spare });
    expect(refused.json).toMatchObject({ status: 429, code: "rate_limit.exceeded", retryable: true, limit: "calls" });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(refused.headers["x-should-retry"]).toBeUndefined();
    const after = await footprint(host);
    expect(after).toEqual(before);
    expect(await host.rows("select 1 from onceboard.idempotency_requests where key = $1", spare)).toHaveLength(0);
    const other = tillOf(host, await host.key(["payments"], { name: "another" }));
    expect((await other.post("/payments", payment())).status).toBe(201);
  });
});
