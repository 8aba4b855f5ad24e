import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consume } from "@/engine/inbox/consume";
import { execute } from "@/engine/execute/execute";
import { receive } from "@/engine/inbox/receive";
import { outboxBody, type EnvelopeSource } from "@/engine/outbox/envelope";
import { relay } from "@/engine/outbox/relay";
import { through } from "@/engine/testing/transports";
import { createConsumers } from "@/tests/support/payments";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** A text with this in it. */
const saying = (text: string): unknown => expect.stringContaining(text);

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
  await execute(env.context(), env.operations.createAccount, {
    key: uuidv7(),
    command: { accountId: "acc_1", currency: "EUR" },
    receivedAt: performance.now(),
  });
});
afterAll(() => env.close());

const consumers = () => createConsumers(env.registry);
/** The way of our own events without HTTP: what the relay would send is recorded by the inbox. */
const inProcess = through(async (delivery, ctx) => {
  await receive(ctx, consumers(), {
    source: "onceboard",
    messageId: delivery.id,
    type: delivery.type,
    payload: JSON.parse(delivery.body),
    payloadBytes: Buffer.from(delivery.body),
    headers: {},
  });
  return { kind: "acknowledged" };
});
const pay = (amountMinor: bigint) =>
  execute(env.context(), env.operations.createPayment, {
    key: uuidv7(),
    command: { accountId: "acc_1", amountMinor, currency: "EUR", channel: "web", merchantReference: undefined },
    receivedAt: performance.now(),
  });
const bodyOf = (message: EnvelopeSource | undefined): string =>
  message === undefined ? "" : outboxBody(env.context().tenantId, message);
const settleAll = async () => {
  while ((await relay(env.context(), inProcess)).claimed > 0);
  while ((await consume(env.context(), consumers())).claimed > 0);
};
const entries = (operationId: string) =>
  env.rows<{
    entry_type: string;
    debit_account: string;
    credit_account: string;
    amount_minor: bigint;
    currency: string;
  }>(
    "select entry_type, debit_account, credit_account, amount_minor, currency from payments.ledger_entries where operation_id = $1",
    operationId,
  );

describe("ledger", () => {
  it("posts a payment once, with the event delivered twice and under a second id", async () => {
    const answer = await pay(1_000n);
    expect(answer.outcome).toBe("executed");
    const operationId = answer.outcome === "executed" ? answer.operation.operationId : "";
    const [message] = await env.rows<EnvelopeSource>(
      "select * from onceboard.outbox_messages where operation_id = $1",
      operationId,
    );
    expect(message?.type).toBe("payment.succeeded");
    await settleAll();
    const body = bodyOf(message);
    const again = {
      source: "onceboard",
      type: "payment.succeeded",
      payload: message?.payload,
      payloadBytes: Buffer.from(body),
      headers: {},
    };
    expect(await receive(env.context(), consumers(), { ...again, messageId: message?.id ?? "" })).toMatchObject({
      outcome: "duplicate",
    });
    await receive(env.context(), consumers(), { ...again, messageId: uuidv7() });
    await settleAll();
    expect(await entries(operationId)).toEqual([
      {
        entry_type: "payment",
        debit_account: "customer:acc_1",
        credit_account: "merchant:acme",
        amount_minor: 1_000n,
        currency: "EUR",
      },
    ]);
    const results = await env.rows<{ result: string }>(
      "select result from onceboard.inbox_messages where operation_id = $1 and consumer = 'ledger' order by received_at",
      operationId,
    );
    expect(results.map(({ result }) => result)).toEqual(["ok", "already posted"]);
  });

  it("CONSUMER-3 a half-done event completes only what is missing: no second entry, one receipt", async () => {
    const answer = await pay(1_500n);
    const operationId = answer.outcome === "executed" ? answer.operation.operationId : "";
    while ((await relay(env.context(), inProcess)).claimed > 0);
    // The receipts consumer is away: its rows wait.
    const hold = (at: string) =>
      env.rows(
        `update onceboard.inbox_open set next_attempt_at = ${at}
         where consumer = 'receipts' and id in (select id from onceboard.inbox_messages where operation_id = $1)`,
        operationId,
      );
    const receipts = () =>
      env.rows<{ notification_key: string; state: string }>(
        "select notification_key, state from onceboard.notifications where operation_id = $1",
        operationId,
      );
    await hold("'infinity'");
    while ((await consume(env.context(), consumers())).claimed > 0);
    expect([await entries(operationId), await receipts()]).toMatchObject([[{ entry_type: "payment" }], []]);
    // The same event under another id, as a producer that lost its memory would send it.
    const [message] = await env.rows<EnvelopeSource>(
      "select * from onceboard.outbox_history where operation_id = $1",
      operationId,
    );
    await receive(env.context(), consumers(), {
      source: "onceboard",
      messageId: uuidv7(),
      type: "payment.succeeded",
      payload: message?.payload,
      payloadBytes: Buffer.from(bodyOf(message)),
      headers: {},
    });
    await settleAll();
    await hold("'-infinity'");
    await settleAll();
    expect(await entries(operationId)).toHaveLength(1);
    const paymentId = (message?.payload as { data: { paymentId: string } }).data.paymentId;
    expect(await receipts()).toEqual([{ notification_key: `receipt_payment_${paymentId}`, state: "skipped" }]);
    const results = await env.rows<{ result: string }>(
      "select consumer || ': ' || result as result from onceboard.inbox_messages where operation_id = $1 order by received_at, consumer",
      operationId,
    );
    expect(results.map(({ result }) => result).sort()).toEqual([
      "ledger: already posted",
      "ledger: ok",
      "receipts: kept already",
      "receipts: kept, no address",
      "webhooks: nobody asked",
      "webhooks: nobody asked",
    ]);
  });

  it("an opened account posts nothing", async () => {
    await settleAll();
    expect(
      await env.rows(
        "select result from onceboard.inbox_messages where type = 'account.opened' and consumer = 'ledger'",
      ),
    ).toEqual([{ result: "ignored" }]);
  });

  it("an event without what it needs fails and says which members", async () => {
    const payload = { type: "payment.succeeded", data: { operationId: uuidv7() } };
    const { inboxIds } = await receive(env.context(), consumers(), {
      source: "onceboard",
      messageId: uuidv7(),
      type: "payment.succeeded",
      payload,
      payloadBytes: Buffer.from(JSON.stringify(payload)),
      headers: {},
    });
    expect(await consume(env.context(), consumers())).toMatchObject({ failed: 2 });
    const [row] = await env.rows<{ last_error_code: string; last_error: string }>(
      "select last_error_code, last_error from onceboard.inbox_messages where id = any($1) and consumer = 'ledger'",
      inboxIds,
    );
    expect(row).toMatchObject({
      last_error_code: "ledger.malformed_event",
      last_error: saying("accountId"),
    });
  });
});

describe("provider webhook", () => {
  const hook = async (providerKey: string) => {
    const payload = { type: "charge.succeeded", data: { providerKey, status: "succeeded" } };
    const { inboxIds } = await receive(env.context(), consumers(), {
      source: "provider",
      messageId: uuidv7(),
      type: payload.type,
      payload,
      payloadBytes: Buffer.from(JSON.stringify(payload)),
      headers: {},
    });
    return async () => {
      const [row] = await env.rows<{ state: string; result: string | null; attempts_started: number }>(
        `select m.state, m.result, coalesce(o.attempts_started, m.attempts_started) as attempts_started
         from onceboard.inbox_messages m left join onceboard.inbox_open o on o.id = m.id where m.id = $1`,
        inboxIds[0],
      );
      return row;
    };
  };
  const providerKeyOf = async (operationId: string) =>
    (
      await env.rows<{ provider_key: string }>(
        "select provider_key from onceboard.provider_requests where operation_id = $1 limit 1",
        operationId,
      )
    )[0]?.provider_key ?? "";

  it("settles an unknown payment at once, waits for a live owner, and leaves what is settled", async () => {
    await env.faults({ timeout_after_accept: 1 });
    const answer = await pay(2_000n);
    await env.faults({ timeout_after_accept: 0 });
    const operationId = answer.outcome === "refused" ? (answer.operation?.operationId ?? "") : "";
    const key = await providerKeyOf(operationId);
    // Somebody is at it: the webhook waits and overrides nothing.
    await env.rows(
      "update onceboard.idempotency_open set owner = 'somebody', locked_until = clock_timestamp() + interval '1 minute' where operation_id = $1",
      operationId,
    );
    const read = await hook(key);
    expect(await consume(env.context(), consumers())).toMatchObject({ postponed: 1 });
    expect(await read()).toMatchObject({ state: "recorded", attempts_started: 0 });
    await env.rows(
      "update onceboard.idempotency_open set owner = null, locked_until = null where operation_id = $1",
      operationId,
    );
    await env.rows("update onceboard.inbox_open set next_attempt_at = '-infinity' where consumer = 'provider-webhook'");
    await settleAll();
    expect(await read()).toMatchObject({ state: "processed", result: "asked: succeeded" });
    expect(
      await env.rows("select state from onceboard.idempotency_requests where operation_id = $1", operationId),
    ).toEqual([{ state: "COMPLETED" }]);
    const second = await hook(key);
    await settleAll();
    expect(await second()).toMatchObject({ state: "processed", result: "already settled" });
    expect(await entries(operationId)).toHaveLength(1);
  });

  it("ignores a key that we never sent", async () => {
    const read = await hook("provider_payment_of_somebody_else");
    await settleAll();
    expect(await read()).toMatchObject({ state: "processed", result: "not ours" });
  });
});
