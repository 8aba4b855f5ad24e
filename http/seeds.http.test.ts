import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consume } from "@/engine/inbox/consume";
import { engineContext } from "@/engine/context";
import { relay } from "@/engine/outbox/relay";
import { everyTopic } from "@/engine/testing/transports";
import { createHttpTransport, ownInbox } from "@/engine/outbox/transports/http";
import { HOSTS, openHost, type TestHost, type HostName } from "./testing/host";
import { meshTill } from "./testing/mesh-till";
import { tillOf, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

/** The examples of the documents that this product was made from, as they stand there; only ids, hashes and times are ours. */

type Json = Readonly<Record<string, unknown>>;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

const MESH_REQUEST = `{
"protocol": { "name": "mesh", "version": "0.1.0" },
"id": "req_001",
"call": {
"function": "payments.charge",
"version": "1",
"arguments": {
"amount": 100,
"currency": "USD",
"customer_id": "cust_123"
}
},
"extensions": [
{
"urn": "urn:mesh:ext:idempotency",
"options": {
"key": "charge_order456_v1"
}
}
]
}`;
const MESH_PROCESSED = `{
"protocol": { "name": "mesh", "version": "0.1.0" },
"id": "req_001",
"result": {
"charge_id": "ch_abc",
"status": "succeeded"
},
"extensions": [
{
"urn": "urn:mesh:ext:idempotency",
"data": {
"key": "charge_order456_v1",
"status": "processed",
"original_request_id": "req_001",
"expires_at": "2024-03-16T10:30:00Z"
}
}
]
}`;
const MESH_CACHED = `{
"protocol": { "name": "mesh", "version": "0.1.0" },
"id": "req_002",
"result": {
"charge_id": "ch_abc",
"status": "succeeded"
},
"extensions": [
{
"urn": "urn:mesh:ext:idempotency",
"data": {
"key": "charge_order456_v1",
"status": "cached",
"original_request_id": "req_001",
"cached_at": "2024-03-15T10:30:00Z",
"expires_at": "2024-03-16T10:30:00Z"
}
}
]
}`;
const MESH_CONFLICT = `{
"protocol": { "name": "mesh", "version": "0.1.0" },
"id": "req_003",
"result": null,
"errors": [{
"code": "IDEMPOTENCY_CONFLICT",
"message": "Idempotency key already used with different arguments",
"retryable": false,
"details": {
"key": "charge_order456_v1",
"original_arguments_hash": "sha256:abc123..."
}
}],
"extensions": [
{
"urn": "urn:mesh:ext:idempotency",
"data": {
"key": "charge_order456_v1",
"status": "conflict",
"original_request_id": "req_001"
}
}
]
}`;
const MESH_PROCESSING = `{
"protocol": { "name": "mesh", "version": "0.1.0" },
"id": "req_004",
"result": null,
"errors": [{
"code": "IDEMPOTENCY_PROCESSING",
"message": "Previous request with this key is still processing",
"retryable": true,
"details": {
"key": "charge_order456_v1",
"retry_after": { "value": 1, "unit": "second" }
}
}]
}`;

const FAULT = `{
  "fault": {
    "faultId": "abc-123",
    "traceId": "xyz-456",
    "errors": [
      {
        "errorCode": "IDEMPOTENCY_CONFLICT",
        "description": "An Idempotency-Key may not be reused with a different request body."
      }
    ]
  }
}`;

const REPLAY_OUTCOMES = `key,payload_hash,status,http_code,result_id,notes
k1,abc,complete,201,rf_123,created
k1,abc,complete,201,rf_123,replayed
k1,xyz,conflict,409,,payload mismatch
`;

const PAYMENT = {
  accountId: "acc_1",
  amount: "10.00",
  currency: "EUR",
  merchantReference: "invoice-7781",
};
const ARTICLE_CONFLICT = `{
"errorCode": "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
"message": "This idempotency key was already used with a different request."
}`;
const ARTICLE_FUNDS = `{
"errorCode": "INSUFFICIENT_FUNDS",
"message": "The account has insufficient funds for this payment."
}`;

/** Our members in the words of the document: what is an id, a hash or a time there has its value there. */
function inTheirWords(ours: unknown, theirs: unknown): unknown {
  if (Array.isArray(theirs) && Array.isArray(ours)) return ours.map((item, at) => inTheirWords(item, theirs[at]));
  if (!isObject(theirs) || !isObject(ours)) return ours;
  return Object.fromEntries(
    Object.entries(ours).map(([name, value]) => [
      name,
      isOurOwn(name, value) ? theirs[name] : inTheirWords(value, theirs[name]),
    ]),
  );
}

function isOurOwn(name: string, value: unknown): boolean {
  const text = typeof value === "string" ? value : "";
  switch (name) {
    case "charge_id":
    case "faultId":
      return /^[0-9a-f-]{36}$/.test(text);
    case "traceId":
      return /^[0-9a-f]{32}$/.test(text);
    case "cached_at":
    case "expires_at":
      return TIME.test(text);
    case "original_arguments_hash":
      return /^sha256:[0-9a-f]{64}$/.test(text);
    default:
      return false;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A result says more of a charge than the document's two members. */
function onlyTheirResult(json: Json | undefined): Json {
  const { charge_id, status } = json?.["result"] as Json;
  return { ...json, result: { charge_id, status } };
}

const bodyOf = ({ json }: CheckedAnswer): Json => json ?? {};

describe.each(HOSTS)("published examples of each profile on %s", (name: HostName) => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openHost(name);
  });
  afterAll(() => host.close());

  /** In a tenant of its own, so that the documents' keys are new. */
  async function openTill(profile: "problem" | "playbook" | "fault" | "article"): Promise<Till & { tenant: string }> {
    const tenant = `${host.tenant}-${profile}-${randomUUID().slice(0, 4)}`;
    return { ...tillOf(host, await host.key(["payments", "accounts"], { tenant, profile })), tenant };
  }

  it("MESH-1 the mesh's request and its four answers", async () => {
    const { apiKey, tenant } = await openTill("problem");
    const mesh = meshTill(host, apiKey);
    await host.rows(
      "insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ($1, 'payments.create', '{\"inProgressRetryAfter\": 1}', 'test')",
      tenant,
    );
    const again = (id: string) => MESH_REQUEST.replace("req_001", id);
    await host.faults({ slow_ms: 700 });
    const running = mesh.raw(MESH_REQUEST);
    const open = () => host.rows("select 1 from onceboard.idempotency_open where tenant_id = $1", tenant);
    await expect.poll(async () => (await open()).length).toBe(1);
    const processing = await mesh.raw(again("req_004"));
    await host.faults({});
    const processed = await running;
    const cached = await mesh.raw(again("req_002"));
    const conflict = await mesh.raw(again("req_003").replace("100", "200"));
    expect([processed, cached, conflict, processing].map(({ status }) => status)).toEqual([200, 200, 409, 409]);
    const pairs = [
      [onlyTheirResult(processed.json), MESH_PROCESSED],
      [onlyTheirResult(cached.json), MESH_CACHED],
      [conflict.json, MESH_CONFLICT],
      [processing.json, MESH_PROCESSING],
    ] as const;
    for (const [ours, text] of pairs) {
      const theirs: unknown = JSON.parse(text);
      expect(inTheirWords(ours, theirs)).toEqual(theirs);
      expect(JSON.stringify(inTheirWords(ours, theirs))).toBe(JSON.stringify(theirs));
    }
    expect(cached.json?.["result"]).toEqual(processed.json?.["result"]);
  });

  it("REPLAY-1 PROFILE-4 an exchange in the profile fault: created, unchanged on a retry, a fault on another body, guidance in flight", async () => {
    const till = await openTill("fault");
    const key = "550e8400-e29b-41d4-a716-446655440000";
    const order = { ...PAYMENT, merchantReference: "ord_789" };
    const first = await till.post("/payments", order, { key });
    const retry = await till.post("/payments", order, { key });
    for (const answer of [first, retry]) {
      expect(answer.status).toBe(201);
      expect(answer.headers).toMatchObject({
        location: `/api/v1/payments/${String(first.json?.["paymentId"])}`,
        "idempotency-key": key,
        "content-type": "application/json",
      });
      expect(answer.text).toBe(first.text);
    }
    const other = await till.post("/payments", { ...order, amount: "20.00" }, { key });
    expect([other.status, other.headers["content-type"]]).toEqual([422, "application/json"]);
    const theirs: unknown = JSON.parse(FAULT);
    expect(inTheirWords(other.json, theirs)).toEqual(theirs);
    await host.faults({ slow_ms: 700 });
    const running = till.post("/payments", { ...PAYMENT, merchantReference: "ord_790" }, { key: "flying" });
    const open = () => host.rows("select 1 from onceboard.idempotency_open where tenant_id = $1", till.tenant);
    await expect.poll(async () => (await open()).length).toBe(1);
    const second = await till.post("/payments", { ...PAYMENT, merchantReference: "ord_790" }, { key: "flying" });
    await host.faults({});
    await running;
    expect(second.status).toBe(409);
    expect(Number(second.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  });

  it("PROFILE-3 PAYMENT-5 a refund in the profile playbook: created, replayed, refused with another amount, and its table of outcomes", async () => {
    const till = await openTill("playbook");
    const charge = await till.post("/payments", { ...PAYMENT, amount: 5000 });
    const chargeId = String(charge.json?.["paymentId"]);
    const key = `refund:${chargeId}:1000:6f6c`;
    const refund = { charge_id: chargeId, amount: 1000 };
    const calls = [refund, refund, { ...refund, amount: 900 }];
    const answers: CheckedAnswer[] = [];
    for (const body of calls) answers.push(await till.post("/refunds", body, { key }));
    const [created, replayed, mismatch] = answers;
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409]);
    expect(created?.headers["idempotency-status"]).toBe("stored");
    expect(replayed?.headers["idempotency-status"]).toBe("replayed");
    expect(replayed?.text).toBe(created?.text);
    expect(created?.json).toMatchObject({ paymentId: chargeId, amount: "10.00" });
    expect(mismatch?.json).toMatchObject({
      code: "CONFLICT.idempotency.payload_mismatch",
      error_code: "idempotency.payload_mismatch",
      retryable: false,
    });
    expect(await outcomesOf(host, String(created?.headers["operation-id"]), answers, calls)).toBe(REPLAY_OUTCOMES);
    const fresh = await till.post("/refunds", refund);
    expect([fresh.status, fresh.headers["idempotency-status"]]).toEqual([201, "stored"]);
    expect(fresh.json?.["refundId"]).not.toBe(created?.json?.["refundId"]);
  });

  it("PAYMENT-5 a gateway timeout and a retry with the same key are one payout", async () => {
    const till = await openTill("playbook");
    const charge = await till.post("/payments", PAYMENT);
    const refund = { charge_id: charge.json?.["paymentId"], amount: 1000 };
    const key = "refund:timeout:1000:6f6c";
    await host.faults({ timeout_after_accept: 1, lookup_down: 1 });
    const lost = await till.post("/refunds", refund, { key, headers: [["x-request-timeout", "400"]] });
    await host.faults({});
    expect([lost.status, lost.json?.["code"]]).toEqual([504, "DEPENDENCY.timeout"]);
    const retry = await till.post("/refunds", refund, { key });
    expect([retry.status, retry.json?.["code"]]).toEqual([409, "TRANSIENT.idempotency.outcome_unknown"]);
    const admin = tillOf(host, await host.key(["admin"], { tenant: till.tenant, name: "console" }));
    const settled = await admin.post(`/admin/operations/${String(lost.headers["operation-id"])}/reconcile`, {});
    expect(settled.status).toBe(200);
    const done = await till.post("/refunds", refund, { key });
    expect([done.status, done.headers["idempotency-status"], done.json?.["status"]]).toEqual([
      201,
      "replayed",
      "succeeded",
    ]);
    const refunds = await host.rows<{ provider_key: string }>(
      "select provider_key from payments.refunds where tenant_id = $1",
      till.tenant,
    );
    expect(refunds).toHaveLength(1);
    const ledger = await host.providerLedger();
    expect(ledger.filter(({ providerKey }) => providerKey === refunds[0]?.provider_key)).toHaveLength(1);
  });

  it.skipIf(name === "next")("PAYMENT-5 one refund and a webhook that comes twice are one ledger entry", async () => {
    const till = await openTill("playbook");
    const charge = await till.post("/payments", PAYMENT);
    const refund = { charge_id: charge.json?.["paymentId"], amount: 1000 };
    for (let count = 0; count < 2; count += 1) await till.post("/refunds", refund, { key: "refund:webhook:1000:6f6c" });
    const { deps } = host;
    if (deps === undefined) throw new Error("in process only");
    const once = createHttpTransport({ destination: ownInbox(host.url) });
    const twice = everyTopic({
      ...once,
      async deliver(...delivery) {
        await once.deliver(...delivery);
        return once.deliver(...delivery);
      },
    });
    const actor = { kind: "system", id: "test", name: "test" } as const;
    const ctx = engineContext(deps.engine, { tenantId: till.tenant, actor, requestId: randomUUID() });
    const entries = () =>
      host.rows<{ entry_type: string }>(
        "select entry_type from payments.ledger_entries where tenant_id = $1 order by entry_type",
        till.tenant,
      );
    await expect
      .poll(async () => {
        await relay(ctx, twice);
        await consume(ctx, deps.consumers);
        return (await entries()).length;
      })
      .toBe(2);
    await consume(ctx, deps.consumers);
    expect((await entries()).map(({ entry_type }) => entry_type)).toEqual(["payment", "refund"]);
    const [arrivals] = await host.rows<{ count: number }>(
      "select count(*)::int as count from onceboard.inbox_arrivals where tenant_id = $1",
      till.tenant,
    );
    expect(arrivals?.count).toBeGreaterThan(2);
  });

  it("PROFILE-5 a payment in the profile article, its replay, its conflict, and its refusal", async () => {
    const till = await openTill("article");
    const key = "abc-123";
    const first = await till.post("/payments", PAYMENT, { key });
    expect([first.status, first.headers["content-type"]]).toEqual([201, "application/json"]);
    // The provider has answered, so the payment is not pending any more.
    expect(bodyOf(first)).toMatchObject({ ...PAYMENT, status: "succeeded" });
    const { currency, amount, ...rest } = PAYMENT;
    const replay = await till.post("/payments", { currency, amount, ...rest }, { key });
    expect([replay.status, replay.headers["idempotent-replayed"], replay.text]).toEqual([201, "true", first.text]);
    const other = await till.post("/payments", { ...PAYMENT, amount: "100.00" }, { key });
    expect([other.status, other.headers["content-type"]]).toEqual([409, "application/json"]);
    expect(JSON.stringify(other.json)).toBe(JSON.stringify(JSON.parse(ARTICLE_CONFLICT)));
    const declined = await till.post("/payments", { ...PAYMENT, amount: "10.51", merchantReference: "invoice-7782" });
    expect([declined.status, JSON.stringify(declined.json)]).toEqual([402, JSON.stringify(JSON.parse(ARTICLE_FUNDS))]);
    const made = await host.rows(
      "select 1 from payments.payments where tenant_id = $1 and status = 'succeeded'",
      till.tenant,
    );
    expect(made).toHaveLength(1);
  });
});

/** The published table of outcomes, from what callers were told and what the key's row says. */
async function outcomesOf(
  host: TestHost,
  operationId: string,
  answers: readonly CheckedAnswer[],
  sent: readonly Json[],
): Promise<string> {
  const [row] = await host.rows<{ state: string; response_status: number; resource_id: string }>(
    "select state, response_status, resource_id from onceboard.idempotency_requests where operation_id = $1",
    operationId,
  );
  const hashes = sent.map((body) => createHash("sha256").update(JSON.stringify(body)).digest("hex"));
  const lines = answers.map(({ status, headers, json }, at) => {
    const hash = hashes[at] === hashes[0] ? "abc" : "xyz";
    if (json?.["error_code"] === "idempotency.payload_mismatch")
      return `k1,${hash},conflict,${String(status)},,payload mismatch`;
    expect([row?.response_status, row?.resource_id]).toEqual([status, json?.["refundId"]]);
    const state = row?.state === "COMPLETED" ? "complete" : row?.state;
    const notes = headers["idempotency-status"] === "stored" ? "created" : headers["idempotency-status"];
    return `k1,${hash},${String(state)},${String(status)},rf_123,${String(notes)}`;
  });
  return ["key,payload_hash,status,http_code,result_id,notes", ...lines, ""].join("\n");
}
