import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callScalar } from "@/db/named-call";
import { idempotent, type IdempotentRoute, type RouteWork } from "../next";
import { createOnceboard, type Onceboard } from "../once/create-onceboard";
import { startOnceboardTests, type OnceboardTestServer, type TestOnceboard } from "../testing";
import type { PgClient } from "../transactions/pg";

const SET_UP = "create schema shop; create table shop.orders (operation_id uuid not null)";
const PLACE = "orders.place";
const EFFECTS = "select operation_id from shop.orders";
/** Nobody listens there. */
const CLOSED_PORT = 1;

type Call = { readonly request: Request };
type Work = RouteWork<PgClient, Call, Record<string, unknown>>;
type Rules = Partial<IdempotentRoute<Call, Record<string, unknown>>>;

let server: OnceboardTestServer;
let test: TestOnceboard;
let onceboard: Onceboard<PgClient>;
let number = 0;
beforeAll(async () => {
  server = await startOnceboardTests();
  test = await server.create({ setUp: SET_UP, tenants: ["acme", "free", "soft", "patient"] });
  onceboard = create(test.pool);
  await decidePolicy("free", { key: "optional" });
  await decidePolicy("soft", { refusals: "not_binding" });
  await decidePolicy("patient", { inFlight: "accepted" });
});
afterAll(async () => {
  await onceboard.close();
  await test.drop();
  await server.stop();
});

function create(pool: TestOnceboard["pool"]): Onceboard<PgClient> {
  const kinds = [{ name: PLACE, label: "Order" }];
  return createOnceboard({ ...test.secrets, pool, service: "shop", kinds, logLevel: "silent" });
}
const decidePolicy = (tenantId: string, overrides: object) =>
  callScalar(test.pool, "set_operation_policy", {
    tenantId,
    operation: PLACE,
    overrides: JSON.stringify(overrides),
    expectedVersion: 0,
    by: "test",
  });

const place: Work = async ({ command }, tx, { operationId }) => {
  await tx.query("insert into shop.orders (operation_id) values ($1)", [operationId]);
  return { status: 201, body: { orderId: operationId, asked: JSON.stringify(command) } };
};
const newKey = () => `wire-${String((number += 1))}`;

interface Sent {
  readonly key?: string;
  readonly tenant?: string;
  readonly rules?: Rules;
  readonly work?: Work;
  readonly body?: string;
  readonly url?: string;
  readonly on?: Onceboard<PgClient>;
}
function post({ key, tenant = "acme", rules = {}, work = place, body = '{"item":"pen"}', url, on }: Sent) {
  const route = { operation: PLACE, tenant: () => tenant, principal: () => "till", ...rules };
  const headers = { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) };
  const request = new Request(`http://shop.test${url ?? "/orders"}`, { method: "POST", headers, body });
  return idempotent(on ?? onceboard, route, work)(request, { params: Promise.resolve({}) });
}
const json = async (response: Response) => (await response.json()) as Record<string, unknown>;

describe("a route of a service", () => {
  it.each([
    ["problem", 409, { code: "idempotency.payload_mismatch", differingFields: ["item"] }],
    ["playbook", 409, { error_code: "idempotency.payload_mismatch", differing_fields: ["item"] }],
    ["fault", 422, { fault: { errors: [{ errorCode: "IDEMPOTENCY_CONFLICT" }] } }],
    ["article", 409, { errorCode: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST" }],
  ] as const)("tells a conflict in the profile %s", async (profile, status, body) => {
    const key = newKey();
    await post({ key });
    const answer = await post({ key, body: '{"item":"ink"}', rules: { profile: () => profile } });
    expect(answer.status).toBe(status);
    expect(await json(answer)).toMatchObject(body);
  });

  it("names no type of a problem, whose page would be somebody else's", async () => {
    const answer = await post({});
    expect(await json(answer)).toEqual({
      title: "An Idempotency-Key header is needed",
      status: 400,
      detail: "Send one key per business action and the same key on every retry. Nothing was recorded.",
      instance: `urn:onceboard:request:${answer.headers.get("request-id") ?? ""}`,
      code: "idempotency.key_missing",
      retryable: false,
    });
  });

  it("runs without a key where the policy of the tenant lets it, under one that the answer names", async () => {
    const answers = [await post({ tenant: "free" }), await post({ tenant: "free" })];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [one, other] = answers.map(({ headers }) => headers.get("idempotency-key"));
    expect(one).toMatch(/^unkeyed-/);
    expect(other).not.toBe(one);
    expect(answers[0]?.headers.has("idempotency-status")).toBe(false);
  });

  it("keeps the service's own problem document as it is, and says that no retry changes it", async () => {
    const key = newKey();
    const document = {
      type: "https://shop.test/none-left",
      title: "None left",
      detail: "Sold out",
      code: "stock.none",
    };
    const headers = { "content-type": "application/problem+json" };
    const work: Work = () => Promise.resolve({ status: 402, code: "stock.none", body: document, headers });
    for (const told of ["stored", "replayed"]) {
      const answer = await post({ key, work });
      expect([answer.status, answer.headers.get("idempotency-status")]).toEqual([402, told]);
      expect(answer.headers.get("x-should-retry")).toBe("false");
      expect(await answer.text()).toBe(JSON.stringify(document));
    }
  });

  it("answers a refusal that does not bind with the service's own body, and keeps nothing of it", async () => {
    const key = newKey();
    const work: Work = async (request, tx, claim) => {
      await place(request, tx, claim);
      return { status: 409, code: "stock.none", body: { reason: "none left" } };
    };
    const refused = await post({ key, tenant: "soft", work });
    expect(refused.status).toBe(409);
    expect(await json(refused)).toEqual({ reason: "none left" });
    expect(refused.headers.has("operation-id")).toBe(false);
    expect((await post({ key, tenant: "soft" })).status).toBe(201);
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("REPLAY-10 keeps its own 202 with its Location, also where the policy tells a key in progress with 202", async () => {
    const key = newKey();
    const work: Work = async (request, tx, claim) => {
      await place(request, tx, claim);
      return { status: 202, body: { job: claim.operationId }, headers: { Location: `/jobs/${claim.operationId}` } };
    };
    const texts: string[] = [];
    for (const told of ["stored", "replayed"]) {
      const answer = await post({ key, tenant: "patient", work });
      expect([answer.status, answer.headers.get("idempotency-status")]).toEqual([202, told]);
      expect(answer.headers.get("location")).toBe(`/jobs/${answer.headers.get("operation-id") ?? ""}`);
      expect(answer.headers.get("idempotent-replayed")).toBe(told === "replayed" ? "true" : null);
      expect(answer.headers.has("retry-after")).toBe(false);
      texts.push(await answer.text());
    }
    expect(texts[1]).toBe(texts[0]);
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("tells a key in progress with 202 where the policy says so, and names no address", async () => {
    const key = newKey();
    await post({ key, tenant: "patient" });
    const values = [key];
    const { rows } = await test.pool.query<{ id: string }>({
      text: `update onceboard.idempotency_requests set state = 'IN_PROGRESS', completed_at = null where key = $1
             returning operation_id as id`,
      values,
    });
    await test.pool.query({
      text: `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, locked_until, opened_at, stage)
             select tenant_id, operation_id, operation, key, 'other', fence, clock_timestamp() + interval '30 s', created_at, 'RECEIVED'
             from onceboard.idempotency_requests where key = $1`,
      values,
    });
    const answer = await post({ key, tenant: "patient" });
    expect(answer.status).toBe(202);
    expect(answer.headers.has("location")).toBe(false);
    expect(answer.headers.get("retry-after")).toBe("2");
    const operationId = rows[0]?.id;
    expect(await json(answer)).toEqual({ operationId, operationState: "IN_PROGRESS", retryAfterSeconds: 2 });
  });

  it("shows lists what the route says of its command", async () => {
    const key = newKey();
    await post({ key, rules: { subject: ({ item }) => ({ reference: `of ${String(item)}` }) } });
    const { rows } = await test.pool.query({
      text: "select reference from onceboard.idempotency_requests where key = $1",
      values: [key],
    });
    expect(rows).toEqual([{ reference: "of pen" }]);
  });

  it("takes as the command beside the body what the route says instead of path and query", async () => {
    const key = newKey();
    const rules: Rules = { beside: ({ request }) => ({ shop: new URL(request.url).searchParams.get("shop") }) };
    const first = await post({ key, rules, url: "/orders?shop=north&token=1" });
    const again = await post({ key, rules, url: "/v2/orders?shop=north&token=2" });
    expect(await again.text()).toBe(await first.text());
    const other = await post({ key, rules, url: "/orders?shop=south" });
    expect(await json(other)).toMatchObject({ differingFields: ["shop"] });
    const twice = await post({ key, rules, body: '{"shop":"south"}' });
    expect(await json(twice)).toMatchObject({ code: "validation.body", errors: [{ path: "shop" }] });
  });

  it("does not tell apart the order of a query", async () => {
    const key = newKey();
    await post({ key, url: "/orders?a=1&b=2" });
    expect((await post({ key, url: "/orders?b=2&a=1" })).headers.get("idempotency-status")).toBe("replayed");
  });

  it("takes no body as an empty command where there is no schema", async () => {
    const key = newKey();
    expect(await json(await post({ key, body: "" }))).toMatchObject({ asked: "{}" });
    expect((await post({ key, body: "{}" })).headers.get("idempotency-status")).toBe("replayed");
    expect((await post({ key: newKey(), body: "[1]" })).status).toBe(422);
  });

  it("refuses a body that was read before", async () => {
    const request = new Request("http://shop.test/orders", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": newKey() },
      body: "{}",
    });
    await request.text();
    const route = { operation: PLACE, tenant: () => "acme", principal: () => "till" };
    const answered = idempotent(onceboard, route, place)(request, { params: Promise.resolve({}) });
    await expect(answered).rejects.toMatchObject({ name: "UsageError", code: "request.body" });
  });

  it("says in the profile that the database is away", async () => {
    const pool = new pg.Pool({
      host: "127.0.0.1",
      port: CLOSED_PORT,
      user: "shop",
      password: "shop",
      database: "shop",
    });
    const away = create(pool);
    const answer = await post({ key: newKey(), on: away });
    await away.close();
    await pool.end();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await json(answer)).toMatchObject({ code: "dependency.unavailable", retryable: true });
  });
});
