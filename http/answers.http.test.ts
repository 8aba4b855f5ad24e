import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { openTill, payment, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

const OUR_HEADERS =
  /^(idempotency-|idempotent-|operation-id|location|content-type|retry-after|cache-control|x-should|stripe-should|set-cookie)/;

function picked(answer: CheckedAnswer): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer.headers).filter(([name]) => OUR_HEADERS.test(name)));
}

describe.each(HOSTS)("answers of %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
  });
  afterAll(() => host.close());

  const openOf = async (key: string) =>
    (await host.rows("select 1 from onceboard.idempotency_open where tenant_id = $1 and key = $2", host.tenant, key))
      .length;

  it("REPLAY-3 a first request is executed and says what it stands for", async () => {
    const key = randomUUID();
    const answer = await till.post("/payments", payment({ merchantReference: "order-1" }), { key });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      status: "succeeded",
      accountId: "acc_1",
      amount: "10.00",
      currency: "EUR",
      merchantReference: "order-1",
      channel: "web",
    });
    const { paymentId } = answer.json ?? {};
    expect(answer.headers).toMatchObject({
      "content-type": "application/json",
      "idempotency-key": key,
      "idempotency-status": "stored",
      "cache-control": "no-store",
      location: `/api/v1/payments/${String(paymentId)}`,
    });
    expect(answer.headers["idempotent-replayed"]).toBeUndefined();
    expect(answer.headers["request-id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(Date.parse(String(answer.headers["idempotency-expires"]))).toBeGreaterThan(Date.now());
    const read = await till.get(`/payments/${String(paymentId)}`);
    expect([read.status, read.json]).toEqual([200, answer.json]);
  });

  it("REPLAY-1 REPLAY-2 a replay has the same status, body bytes and headers, and nothing of the first exchange", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    const second = await till.post("/payments", body, {
      key,
      headers: [["traceparent", `00-${"a".repeat(32)}-${"b".repeat(16)}-01`]],
    });
    expect(second.status).toBe(first.status);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(picked(second)).toEqual({
      ...picked(first),
      "idempotency-status": "replayed",
      "idempotent-replayed": "true",
    });
    expect(second.headers["request-id"]).not.toBe(first.headers["request-id"]);
    expect(second.headers["set-cookie"]).toBeUndefined();
  });

  it("COMMAND-1 member order, white space, notation of the amount and a written-out default are the same command", async () => {
    const key = randomUUID();
    const first = await till.post(
      "/payments",
      { accountId: "acc_1", amount: "10.00", currency: "EUR", merchantReference: key },
      { key },
    );
    const second = await till.post(
      "/payments",
      { channel: "web", merchantReference: key, currency: "EUR", amount: 1000, accountId: "acc_1" },
      { key },
    );
    expect([first.status, second.status, second.headers["idempotent-replayed"]]).toEqual([201, 201, "true"]);
  });

  it("CONFLICT-2 REFUSAL-5 another command under the key is a conflict that names fields, never values", async () => {
    const key = randomUUID();
    const body = payment({ amount: "10.00" });
    await till.post("/payments", body, { key });
    const answer = await till.post("/payments", { ...body, amount: "100.07", channel: "pos" }, { key });
    expect(answer.json).toMatchObject({
      status: 409,
      code: "idempotency.payload_mismatch",
      retryable: false,
      differingFields: ["amount", "channel"],
      operationState: "COMPLETED",
    });
    expect(answer.text).not.toContain("100.07");
    expect(answer.headers).toMatchObject({
      "x-should-retry": "false",
      "stripe-should-retry": "false",
      "idempotency-key": key,
    });
    expect(answer.headers["retry-after"]).toBeUndefined();
  });

  it("INFLIGHT-1 while the first one works, the same command waits and another one conflicts", async () => {
    const key = randomUUID();
    const body = payment();
    await host.faults({ slow_ms: 700 });
    const running = till.post("/payments", body, { key });
    await expect.poll(() => openOf(key)).toBe(1);
    const same = await till.post("/payments", body, { key });
    const other = await till.post("/payments", { ...body, amount: "11.00" }, { key });
    const status = await till.get(`/operations/${String(same.headers["operation-id"])}`);
    await host.faults({});
    expect(same.json).toMatchObject({
      status: 409,
      code: "idempotency.in_progress",
      retryable: true,
      safeNewKey: false,
      operationState: "IN_PROGRESS",
    });
    expect(Number(same.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(same.headers["x-should-retry"]).toBeUndefined();
    expect(other.json?.["code"]).toBe("idempotency.payload_mismatch");
    expect(status.json).toMatchObject({ state: "IN_PROGRESS", result: null, retry: { sameKey: "wait" } });
    expect(Number(status.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect((await running).status).toBe(201);
    expect((await till.post("/payments", body, { key })).headers["idempotent-replayed"]).toBe("true");
  });

  it("CERTAINTY-1 HTTP-4 an answer that is lost at the provider is unknown, within the caller's budget, and never failed", async () => {
    const key = randomUUID();
    const body = payment();
    await host.faults({ timeout_after_accept: 1, lookup_down: 1 });
    const first = await till.post("/payments", body, { key, headers: [["x-request-timeout", "1500"]] });
    const again = await till.post("/payments", body, { key });
    const status = await till.get(`/operations/${String(first.headers["operation-id"])}`);
    await host.faults({});
    expect(first.json).toMatchObject({ status: 504, code: "dependency.timeout", retryable: true });
    expect(again.json).toMatchObject({
      status: 409,
      code: "idempotency.outcome_unknown",
      operationState: "UNKNOWN_REQUIRES_RECOVERY",
      safeNewKey: false,
    });
    expect(Number(again.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(status.json).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", stage: "PROVIDER_REQUEST_SENT" });
  });

  it("a definite failure at the provider leaves the key free", async () => {
    const key = randomUUID();
    const body = payment();
    await host.faults({ rate_limit: 1 });
    const first = await till.post("/payments", body, { key });
    await host.faults({});
    const second = await till.post("/payments", body, { key });
    expect(first.json).toMatchObject({ status: 503, code: "dependency.unavailable", retryable: true });
    expect(Number(first.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect([second.status, second.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  });

  it("KEY-11 after the window the key is told as expired and nothing runs", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    await host.rows(
      "update onceboard.idempotency_requests set expires_at = clock_timestamp() where tenant_id = $1 and key = $2",
      host.tenant,
      key,
    );
    const late = await till.post("/payments", body, { key });
    expect(late.json).toMatchObject({
      status: 410,
      code: "idempotency.key_expired",
      operationId: first.headers["operation-id"],
      safeNewKey: false,
    });
    expect(late.headers["x-should-retry"]).toBe("false");
  });

  it("REPLAY-6 a purged answer is told by reference", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    await host.rows(
      "delete from onceboard.idempotency_bodies where operation_id = $1 and kind = 'response'",
      first.headers["operation-id"],
    );
    const late = await till.post("/payments", body, { key });
    expect(late.json).toMatchObject({
      status: 410,
      code: "idempotency.response_purged",
      resource: { type: "payment", id: first.json?.["paymentId"] },
    });
  });

  it("REFUSAL-1 a refusal by the business is the answer of the key, byte by byte", async () => {
    const key = randomUUID();
    const body = payment({ amount: "12.51" });
    const first = await till.post("/payments", body, { key });
    const second = await till.post("/payments", body, { key });
    expect(first.json).toMatchObject({ status: 402, code: "payment.insufficient_funds", retryable: false });
    expect(first.headers).toMatchObject({
      "content-type": "application/problem+json",
      "idempotency-status": "stored",
      "x-should-retry": "false",
    });
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(second.headers).toMatchObject({ "idempotent-replayed": "true", "x-should-retry": "false" });
  });

  it("PAYMENT-3 a new key for the same merchant reference names the first payment", async () => {
    const body = payment();
    const first = await till.post("/payments", body);
    const second = await till.post("/payments", body);
    expect(second.json).toMatchObject({
      status: 409,
      code: "payment.duplicate_reference",
      paymentId: first.json?.["paymentId"],
    });
    expect(second.headers["x-should-retry"]).toBe("false");
  });

  it("REPLAY-8 return=minimal leaves the body out, on the first answer and on a replay, and is not part of the command", async () => {
    const key = randomUUID();
    const body = payment();
    const minimal = [["prefer", "return=minimal"]] as const;
    const first = await till.post("/payments", body, { key, headers: minimal });
    const replay = await till.post("/payments", body, { key, headers: minimal });
    const whole = await till.post("/payments", body, { key });
    for (const answer of [first, replay]) {
      expect([answer.status, answer.bytes.length, answer.headers["preference-applied"]]).toEqual([
        201,
        0,
        "return=minimal",
      ]);
      expect(answer.headers["location"]).toBe(whole.headers["location"]);
    }
    expect(replay.headers["idempotent-replayed"]).toBe("true");
    expect(whole.json?.["paymentId"]).toBeDefined();
    expect(whole.headers["preference-applied"]).toBeUndefined();
  });

  it("PAYMENT-1 refunds and voids are as idempotent as payments", async () => {
    const made = await till.post("/payments", payment());
    const paymentId = String(made.json?.["paymentId"]);
    const key = randomUUID();
    const refund = await till.post("/refunds", { paymentId, amount: "4.00", reason: "damaged" }, { key });
    const again = await till.post("/refunds", { charge_id: paymentId, amount: 400, reason: "damaged" }, { key });
    expect(refund.json).toMatchObject({ paymentId, amount: "4.00", status: "succeeded" });
    expect(again.bytes.equals(refund.bytes)).toBe(true);
    expect((await till.get(`/refunds/${String(refund.json?.["refundId"])}`)).json).toEqual(refund.json);
    const tooMuch = await till.post("/refunds", { paymentId, amount: "6.01" });
    expect(tooMuch.json).toMatchObject({ status: 422, code: "refund.exceeds_remaining", remaining: "6.00" });
    const other = await till.post("/payments", payment());
    const otherId = String(other.json?.["paymentId"]);
    const voidKey = randomUUID();
    const voided = await till.post(`/payments/${otherId}/void`, {}, { key: voidKey });
    const voidedAgain = await host.call({
      method: "POST",
      path: `/api/v1/payments/${otherId}/void`,
      headers: [
        ["authorization", `Bearer ${till.apiKey}`],
        ["idempotency-key", voidKey],
      ],
    });
    expect([voided.status, voided.json?.["status"]]).toEqual([200, "voided"]);
    expect(voidedAgain.bytes.equals(voided.bytes)).toBe(true);
  });

  it("KEY-2 twenty at once have one effect", async () => {
    const key = randomUUID();
    const body = payment();
    const answers = await Promise.all(Array.from({ length: 20 }, () => till.post("/payments", body, { key })));
    const first = answers.filter(({ headers }) => headers["idempotency-status"] === "stored");
    expect(first).toHaveLength(1);
    for (const answer of answers) {
      expect(answer.status === 201 || answer.json?.["code"] === "idempotency.in_progress").toBe(true);
    }
    const made = await host.rows(
      "select 1 from payments.payments where tenant_id = $1 and merchant_reference = $2",
      host.tenant,
      body["merchantReference"],
    );
    expect(made).toHaveLength(1);
  });

  it("INFLIGHT-3 GET /operations tells what became of it, to its own tenant only", async () => {
    const made = await till.post("/payments", payment());
    const path = `/operations/${String(made.headers["operation-id"])}`;
    const status = await till.get(path);
    expect(status.json).toMatchObject({
      operation: "payments.create",
      state: "COMPLETED",
      stage: null,
      responseStatus: 201,
      result: { type: "payment", id: made.json?.["paymentId"], href: made.headers["location"] },
      retry: { sameKey: "replays", afterSeconds: null },
    });
    expect(status.text).not.toContain(String(made.headers["idempotency-key"]));
    const stranger = await openTill(host, ["payments"], host.otherTenant);
    expect((await stranger.get(path)).json?.["code"]).toBe("operation.not_found");
    expect((await till.get("/operations/not-a-uuid")).status).toBe(404);
  });

  it("INFLIGHT-3 says of a retry with the same key what it would do, and a retry does that", async () => {
    const retryOf = async (id: string) =>
      (await till.get(`/operations/${id}`)).json?.["retry"] as Record<string, unknown> | undefined;
    const decide = async (overrides: Readonly<Record<string, unknown>>) => {
      await host.rows(
        `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ($1, 'payments.create', $2::jsonb, 'test')
         on conflict (tenant_id, operation) do update set overrides = excluded.overrides`,
        host.tenant,
        JSON.stringify(overrides),
      );
      host.deps?.engine.policies.forget(host.tenant);
    };
    // Another process goes by a policy that it read up to two seconds ago.
    const says = (sameKey: string) =>
      expect.poll(async () => (await retryOf(id))?.["sameKey"], { timeout: 10_000 }).toBe(sameKey);
    const [key, body] = [randomUUID(), payment()];
    await host.faults({ rate_limit: 1 });
    const id = String((await till.post("/payments", body, { key })).headers["operation-id"]);
    await host.faults({});
    expect(await retryOf(id)).toEqual({ sameKey: "executes", afterSeconds: null });
    await decide({ maxAttempts: 1 });
    await says("refused");
    expect((await till.post("/payments", body, { key })).json?.["code"]).toBe("idempotency.attempts_exhausted");
    await decide({ maxAttempts: 2 });
    await says("executes");
    expect((await till.post("/payments", body, { key })).status).toBe(201);
    expect(await retryOf(id)).toMatchObject({ sameKey: "replays" });
    await host.rows("select onceboard.purge_bodies($1, 0, 1, $2)", host.tenant, id);
    expect(await retryOf(id)).toMatchObject({ sameKey: "refused" });
    expect((await till.post("/payments", body, { key })).status).toBe(410);
    await host.rows(
      "update onceboard.idempotency_requests set expires_at = clock_timestamp() where operation_id = $1",
      id,
    );
    expect(await retryOf(id)).toMatchObject({ sameKey: "refused" });
    await decide({ expired: "execute" });
    await says("executes");
    const late = await till.post("/payments", body, { key });
    expect(late.headers["operation-id"]).not.toBe(id);
    await host.rows("delete from onceboard.operation_policies where tenant_id = $1", host.tenant);
    host.deps?.engine.policies.forget(host.tenant);
  });

  it("PAYMENT-4 the default currency is set without a key, and a lost race is told", async () => {
    const accountId = `acc_${randomUUID()}`;
    const made = await till.post("/accounts", { accountId, currency: "EUR" });
    expect([made.status, made.json?.["defaultCurrency"]]).toEqual([201, "EUR"]);
    const read = await till.get(`/accounts/${accountId}`);
    const etag = String(read.headers["etag"]);
    const put = (currency: string, headers: readonly (readonly [string, string])[]) =>
      host.call({
        method: "PUT",
        path: `/api/v1/accounts/${accountId}/settings/default-currency`,
        headers: [["authorization", `Bearer ${till.apiKey}`], ["content-type", "application/json"], ...headers],
        body: JSON.stringify({ currency }),
      });
    const first = await put("USD", [["if-match", etag]]);
    const late = await put("GBP", [["if-match", etag]]);
    const unguarded = await put("CHF", []);
    expect([first.status, first.json?.["defaultCurrency"]]).toEqual([200, "USD"]);
    expect(first.headers["etag"]).not.toBe(etag);
    expect(late.json).toMatchObject({ status: 412, code: "precondition.failed", retryable: false });
    expect([unguarded.status, unguarded.json?.["defaultCurrency"]]).toEqual([200, "CHF"]);
  });
});
