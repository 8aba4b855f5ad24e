import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHost, type TestHost } from "@/http/testing/host";
import { openTill, payment, tillOf, type Till } from "@/http/testing/till";
import { startMailCatcher, type MailCatcher } from "@/tests/support/mail-catcher";
import { startWebhookReceiver, type WebhookReceiver } from "@/tests/support/webhook-receiver";
import { webhookSecret } from "@/tests/support/providers";
import { startWorker, type Worker } from "@/worker/main";
import type { CheckedAnswer } from "@/http/testing/contract";

const PATIENCE = { timeout: 15_000 };

let host: TestHost;
let till: Till;
let catcher: MailCatcher;
let receiver: WebhookReceiver;
let worker: Worker;
let secret: string;
beforeAll(async () => {
  catcher = await startMailCatcher();
  receiver = await startWebhookReceiver();
  const env = {
    WEBHOOK_ALLOW_PRIVATE: "true",
    SMTP_URL: catcher.url,
    MAIL_FROM: "Shop <receipts@shop.example>",
    WORKER_INTERVAL_MS: "20",
  };
  host = await openHost("hono", { env });
  till = await openTill(host);
  if (host.deps === undefined) throw new Error("in process only");
  const { engine, modules, config } = host.deps;
  worker = startWorker({ engine: { ...engine, instance: "worker-a" }, modules, config }, { address: host.url });
  const admin = tillOf(host, await host.key(["admin"]));
  const made = await admin.post("/admin/webhook-endpoints", { url: `${receiver.url}/shop` });
  secret = String(made.json?.["secret"]);
  await till.post("/accounts", { accountId: "acc_mail", currency: "EUR", email: "holder@example.org" });
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([catcher.close(), receiver.close()]);
  await host.close();
});

const paid = (fields: Readonly<Record<string, unknown>> = {}) =>
  till.post("/payments", payment({ accountId: "acc_mail", ...fields }));
const operationOf = (answer: CheckedAnswer) => String(answer.headers["operation-id"] ?? answer.json?.["operationId"]);
const count = (text: string, operationId: string) => async () =>
  (await host.rows<{ n: number }>(`select count(*)::int as n from ${text} and operation_id = $1`, operationId))[0]?.n;
const entries = (operationId: string) => count("payments.ledger_entries where true", operationId);
const settled = (operationId: string) => count("onceboard.idempotency_requests where state = 'COMPLETED'", operationId);
/** As the provider sends it, about one of our keys. */
const fromProvider = (type: string, providerKey: string, id = `evt_${randomUUID()}`): Promise<CheckedAnswer> => {
  const body = JSON.stringify({
    type,
    timestamp: "2026-01-01T00:00:00Z",
    data: { id: "obj_1", providerKey, status: "succeeded" },
  });
  const now = new Date();
  return host.call({
    method: "POST",
    path: `/api/v1/events/provider?tenant=${host.tenant}`,
    headers: [
      ["content-type", "application/json"],
      ["webhook-id", id],
      ["webhook-timestamp", String(Math.floor(now.getTime() / 1_000))],
      ["webhook-signature", new Webhook(webhookSecret(host.secret, "provider")).sign(id, now, body)],
    ],
    body,
  });
};
const providerKeyOf = async (operationId: string) =>
  (
    await host.rows<{ key: string }>(
      "select provider_key as key from onceboard.provider_requests where operation_id = $1 limit 1",
      operationId,
    )
  )[0]?.key ?? "";
const handled = async (id: string) =>
  (
    await host.rows<{ state: string; result: string | null }>(
      "select state, result from onceboard.inbox_messages where message_id = $1 and consumer = 'provider-webhook'",
      id,
    )
  )[0];

describe("from a payment to whoever has to hear of it, through API, worker, mail server and the merchant's server", () => {
  it("OUTBOX-1 CONSUMER-1 one entry, one receipt, one webhook", async () => {
    const answer = await paid();
    const operationId = operationOf(answer);
    const key = `receipt_payment_${String(answer.json?.["paymentId"])}`;
    const mails = () => catcher.mails.filter(({ messageId }) => messageId === `<${key}@shop.example>`);
    const webhooks = () => receiver.got.filter(({ json }) => JSON.stringify(json).includes(operationId));
    await expect.poll(entries(operationId), PATIENCE).toBe(1);
    await expect.poll(() => mails().length, PATIENCE).toBe(1);
    await expect.poll(() => webhooks().length, PATIENCE).toBe(1);
    const [webhook] = webhooks();
    expect(() =>
      new Webhook(secret).verify(webhook?.body ?? "", webhook?.headers as Record<string, string>),
    ).not.toThrow();
    await expect.poll(count("onceboard.notifications where state = 'sent'", operationId), PATIENCE).toBe(2);
  });
});

describe("a provider's webhook", () => {
  it("CONSUMER-1 refund.succeeded that comes twice, and once more under another id, leaves one ledger entry", async () => {
    const first = await paid();
    const refunded = await till.post("/refunds", { paymentId: first.json?.["paymentId"], amount: "1.00" });
    expect(refunded.status).toBe(201);
    const operationId = operationOf(refunded);
    const key = await providerKeyOf(operationId);
    const id = `evt_${randomUUID()}`;
    const other = `evt_${randomUUID()}`;
    const answers = [
      await fromProvider("refund.succeeded", key, id),
      await fromProvider("refund.succeeded", key, id),
      await fromProvider("refund.succeeded", key, other),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 200, 202]);
    for (const each of [id, other]) {
      await expect.poll(() => handled(each), PATIENCE).toEqual({ state: "processed", result: "already settled" });
    }
    await expect.poll(entries(operationId), PATIENCE).toBe(1);
    expect(await count("payments.refunds where status = 'succeeded'", operationId)()).toBe(1);
    const sent = (await host.providerLedger()).filter(({ providerKey }) => providerKey === key);
    expect(sent).toHaveLength(1);
  });

  it("CONSUMER-4 settles an operation of which nobody knew the outcome, once", async () => {
    // The recovery loop is not the one that finds it: it looks much later.
    await host.faults({ timeout_after_accept: 1 });
    const lost = await paid();
    await host.faults({ timeout_after_accept: 0 });
    expect(lost.status).toBe(504);
    const operationId = operationOf(lost);
    await host.rows(
      "update onceboard.idempotency_open set next_check_at = 'infinity' where operation_id = $1 and owner is null",
      operationId,
    );
    const key = await providerKeyOf(operationId);
    const id = `evt_${randomUUID()}`;
    await Promise.all([fromProvider("charge.succeeded", key, id), fromProvider("charge.succeeded", key, id)]);
    await expect.poll(settled(operationId), PATIENCE).toBe(1);
    await expect.poll(entries(operationId), PATIENCE).toBe(1);
    expect((await host.providerLedger()).filter(({ providerKey }) => providerKey === key)).toHaveLength(1);
  });

  it("CONSUMER-4 that arrives before the provider's own answer waits for the owner, who settles once", async () => {
    await host.faults({ slow_ms: 1_000 });
    const reference = `early-${randomUUID()}`;
    const answering = paid({ merchantReference: reference });
    const key = () =>
      host.rows<{ key: string }>(
        `select p.provider_key as key from payments.payments p where p.tenant_id = $1 and p.merchant_reference = $2`,
        host.tenant,
        reference,
      );
    const accepted = async () => {
      const wanted = (await key())[0]?.key;
      return (await host.providerLedger()).some(({ providerKey }) => providerKey === wanted);
    };
    await expect.poll(accepted, PATIENCE).toBe(true);
    const id = `evt_${randomUUID()}`;
    const [early] = await Promise.all([fromProvider("charge.succeeded", (await key())[0]?.key ?? "", id)]);
    expect(early.status).toBe(202);
    // Looked at while the owner is still asking: put off, which is no attempt.
    const looked = async () =>
      (
        await host.rows<{ looked: boolean }>(
          "select o.fence > 0 and o.owner is null as looked from onceboard.inbox_open o join onceboard.inbox_messages m on m.id = o.id where m.message_id = $1",
          id,
        )
      )[0]?.looked;
    await expect.poll(looked, PATIENCE).toBe(true);
    const answer = await answering;
    await host.faults({ slow_ms: 0 });
    expect(answer.status).toBe(201);
    const operationId = operationOf(answer);
    await host.rows(
      "update onceboard.inbox_open set next_attempt_at = '-infinity' where id in (select id from onceboard.inbox_messages where message_id = $1)",
      id,
    );
    await expect.poll(() => handled(id), PATIENCE).toEqual({ state: "processed", result: "already settled" });
    await expect.poll(entries(operationId), PATIENCE).toBe(1);
    const completions = count("onceboard.idempotency_events where type in ('executed', 'reconciled')", operationId);
    await host.deps?.answers.flush();
    expect(await completions()).toBe(1);
    expect(
      await count("onceboard.outbox_history where type = 'payment.succeeded' and topic = 'payments'", operationId)(),
    ).toBe(1);
  });
});
