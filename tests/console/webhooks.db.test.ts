import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import { setDefaultCurrency } from "@/payments/set-default-currency";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { openPostOffice, type PostOffice } from "@/tests/support/post-office";
import { startWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from "@/tests/support/webhook-receiver";
import { createEndpoint, deleteEndpoint, rotateSecret, setEndpointDisabled } from "@/console/webhooks/endpoint-actions";
import { MAX_ENDPOINTS } from "@/engine/outbox/webhooks/limits";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { webhookTopic } from "@/engine/outbox/webhooks/topic";
import { ENDPOINT_REMEMBERED_MS } from "@/domain/messages/delivery";
import { createWebhookTransport } from "@/engine/outbox/webhooks/webhook-transport";
import { createConsumers, EVENT_TYPES } from "@/tests/support/payments";

let env: TestEnvironment;
let receiver: WebhookReceiver;
let office: PostOffice;
/** Moves on when an endpoint that is remembered shall be read again. */
let now = 0;
beforeAll(async () => {
  env = await createTestEnvironment();
  receiver = await startWebhookReceiver();
  office = openPostOffice({
    context: () => env.context(),
    rows: (text, ...values) => env.rows(text, ...values),
    consumers: createConsumers(env.registry),
    webhooks: createWebhookTransport({ allowPrivate: true, clock: () => now }),
  });
});
afterAll(async () => {
  await receiver.close();
  await env.close();
});
beforeEach(() => {
  now += 60_000;
});
afterEach(async () => {
  receiver.answer(() => ({ status: 204 }));
  await env.rows("delete from onceboard.webhook_endpoints");
  await env.rows("delete from onceboard.webhook_secrets");
  await env.rows("delete from onceboard.outbox_messages");
});

function admin(): EngineContext {
  const ctx = env.context();
  return engineContext(ctx, {
    ...ctx,
    actor: {
      kind: "operator",
      id: "op-1",
      name: "Mira Okafor",
      role: "admin",
      confirmation: { fresh: true, by: ["password"] },
    },
  });
}
const click = () => ({ idempotencyKey: randomUUID(), receivedAt: performance.now(), reason: "a test" });
async function endpoint(
  path: string,
  types: readonly string[] = [],
): Promise<{ readonly id: string; readonly secret: string }> {
  const made = await createEndpoint(
    admin(),
    click(),
    { url: `${receiver.url}${path}`, types, description: "" },
    { allowPrivate: true },
  );
  return { id: made.answer.after["id"] as string, secret: made.secret ?? "" };
}
async function pay(accountId = "acc_1"): Promise<{ readonly operationId: string; readonly paymentId: string }> {
  const answer = await execute(env.context(), env.operations.createPayment, {
    key: uuidv7(),
    command: { accountId, amountMinor: 4_200n, currency: "EUR", channel: "web", merchantReference: undefined },
    receivedAt: performance.now(),
  });
  if (answer.outcome !== "executed") throw new Error(answer.outcome);
  const { paymentId } = JSON.parse(answer.response.body.toString()) as { paymentId: string };
  return { operationId: answer.operation.operationId, paymentId };
}
const refund = (paymentId: string) =>
  execute(env.context(), env.operations.createRefund, {
    key: uuidv7(),
    command: { paymentId, amountMinor: 100n, currency: "EUR", accountId: "acc_1", reason: undefined },
    receivedAt: performance.now(),
  });
const at = (path: string): ReceivedWebhook[] => receiver.got.filter((webhook) => webhook.path === path);
const verifies = (secret: string, { body, headers }: ReceivedWebhook): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};
const messagesOf = (id: string) =>
  env.rows<{ id: string; state: string; code: string | null; started: number }>(
    `select id, state, last_error_code as code, attempts_started as started from onceboard.outbox_messages where topic = $1 order by position`,
    webhookTopic(id),
  );

describe("WEBHOOK-1 an event for a merchant's endpoint", () => {
  it("arrives once, signed, as a CloudEvent about the same thing", async () => {
    const { id, secret } = await endpoint("/once");
    const { operationId, paymentId } = await pay();
    await office.settle();
    const [webhook, ...more] = at("/once");
    expect(more).toEqual([]);
    if (webhook === undefined) throw new Error("nothing came");
    expect(verifies(secret, webhook)).toBe(true);
    expect(webhook.headers["content-type"]).toBe("application/cloudevents+json");
    expect(webhook.json).toMatchObject({
      specversion: "1.0",
      id: webhook.headers["webhook-id"],
      source: "/onceboard/acme",
      type: "payment.succeeded",
      subject: `payment/${paymentId}`,
      data: { operationId, paymentId, amount: "42.00", currency: "EUR" },
    });
    const [event] = await env.rows<{ id: string; payload: { occurredAt: string } }>(
      "select id, payload from onceboard.outbox_history where operation_id = $1 and topic = 'payments'",
      operationId,
    );
    // The event's own id and time, so that copies for several endpoints are known to be one event.
    expect(webhook.json).toMatchObject({ eventid: event?.id, time: event?.payload.occurredAt });
    expect(
      await env.rows(
        "select notification_key, kind, state from onceboard.notifications where operation_id = $1 and kind = 'webhook'",
        operationId,
      ),
    ).toEqual([{ notification_key: `webhook_${id}_payment.succeeded_${paymentId}`, kind: "webhook", state: "sent" }]);
  });

  it("goes to who wants its type, to each once, and is kept for nobody where nobody asked", async () => {
    await endpoint("/refunds", ["refund.succeeded"]);
    await endpoint("/all");
    const { paymentId, operationId } = await pay();
    await refund(paymentId);
    await office.settle();
    expect(at("/refunds").map(({ json }) => json["type"])).toEqual(["refund.succeeded"]);
    expect(at("/all").map(({ json }) => json["type"])).toEqual(["payment.succeeded", "refund.succeeded"]);
    await env.rows("delete from onceboard.webhook_endpoints");
    const other = await pay();
    await office.settle();
    const results = await env.rows<{ result: string }>(
      "select result from onceboard.inbox_messages where consumer = 'webhooks' and operation_id = any($1) order by received_at",
      [operationId, other.operationId],
    );
    expect(results.map(({ result }) => result)).toEqual(["1 webhook queued", "nobody asked"]);
  });

  it("CONSUMER-2 the same event under another message id adds nothing", async () => {
    await endpoint("/twice");
    const { operationId } = await pay();
    await office.settle();
    await env.rows(
      `with again as (
         update onceboard.inbox_messages set message_id = gen_random_uuid()::text, state = 'recorded', processed_at = null
         where consumer = 'webhooks' and operation_id = $1 returning *)
       insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, fence)
       select tenant_id, id, consumer, received_at, '-infinity', fence from again`,
      operationId,
    );
    await office.settle();
    expect(at("/twice")).toHaveLength(1);
    expect(
      await env.rows(
        "select result from onceboard.inbox_messages where consumer = 'webhooks' and operation_id = $1",
        operationId,
      ),
    ).toEqual([{ result: "kept already" }]);
  });

  it("WEBHOOK-2 comes again with the same id and the same bytes until the receiver says yes, then never", async () => {
    const { id, secret } = await endpoint("/down");
    receiver.answer(() => ({ status: 503 }));
    const { operationId } = await pay();
    await office.settle();
    expect(await messagesOf(id)).toMatchObject([{ state: "pending", code: "webhook.http_503", started: 1 }]);
    const [waiting] = await env.rows<{ ahead: boolean }>(
      "select next_attempt_at > now() as ahead from onceboard.outbox_messages where topic = $1",
      webhookTopic(id),
    );
    expect(waiting?.ahead).toBe(true);
    receiver.answer(() => ({ status: 200, body: "x".repeat(1_000_000) }));
    await office.hurry();
    await office.settle();
    await office.settle();
    const [first, second, ...more] = at("/down");
    expect(more).toEqual([]);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    if (second !== undefined) expect(verifies(secret, second)).toBe(true);
    expect(
      await env.rows(
        "select state, attempts from onceboard.notifications where operation_id = $1 and kind = 'webhook'",
        operationId,
      ),
    ).toEqual([{ state: "sent", attempts: 2 }]);
  });

  it("keeps the order per aggregate: what comes after waits for what failed, others pass", async () => {
    await endpoint("/order");
    const stuck = await pay();
    const other = await pay();
    receiver.answer(({ json }) => ({ status: json["subject"] === `payment/${stuck.paymentId}` ? 500 : 204 }));
    await refund(stuck.paymentId);
    await office.settle();
    const seen = () => at("/order").map(({ json }) => `${String(json["type"])} ${String(json["subject"])}`);
    expect(seen().sort()).toEqual(
      [`payment.succeeded payment/${other.paymentId}`, `payment.succeeded payment/${stuck.paymentId}`].sort(),
    );
    receiver.answer(() => ({ status: 204 }));
    const before = at("/order").length;
    await office.hurry();
    await office.settle();
    expect(seen().slice(before)).toEqual([
      `payment.succeeded payment/${stuck.paymentId}`,
      `refund.succeeded payment/${stuck.paymentId}`,
    ]);
  });

  it("PAYMENT-4 a new default currency is told once with its version; the same one again is told to nobody", async () => {
    await endpoint("/currency", ["account.default_currency_changed"]);
    await execute(env.context(), env.operations.createAccount, {
      key: uuidv7(),
      command: { accountId: "acc_currency", currency: "EUR", email: "holder@example.org" },
      receivedAt: performance.now(),
    });
    for (const currency of ["USD", "USD", "GBP"]) {
      await setDefaultCurrency(env.context(), { accountId: "acc_currency", currency, ifMatch: undefined });
    }
    await office.settle();
    expect(at("/currency").map(({ json }) => json["data"])).toMatchObject([
      { accountId: "acc_currency", defaultCurrency: "USD", version: 2 },
      { accountId: "acc_currency", defaultCurrency: "GBP", version: 3 },
    ]);
    expect(at("/currency").map(({ body }) => body.includes("holder@"))).toEqual([false, false]);
  });
});

describe("PROOF-1 the proof of a payment whose event was copied for two endpoints", () => {
  it("counts one event, one receipt, and stays proven", async () => {
    await endpoint("/proof-a");
    await endpoint("/proof-b");
    const { operationId } = await pay();
    await office.settle();
    expect([at("/proof-a"), at("/proof-b")].map((got) => got.length)).toEqual([1, 1]);
    const ctx = admin();
    await ctx.answers.flush();
    const signer = createProofSigner("a secret of this test, long enough to be one");
    const view = await readProof(ctx, { operationId, signer, deployment: "https://pay.example.com" });
    expect(view?.proof).toMatchObject({ verdict: "proven", counts: { events: "1", notifications: "1" } });
  });
});

describe("an endpoint that", () => {
  it.each([
    ["redirects is not followed", () => ({ status: 302, location: `${receiver.url}/elsewhere` }), "webhook.http_302"],
    ["says no has it come again", () => ({ status: 400 }), "webhook.http_400"],
  ])("%s", async (_name, write, code) => {
    const { id } = await endpoint(`/no-${code}`);
    receiver.answer(write);
    await pay();
    await office.settle();
    expect(await messagesOf(id)).toMatchObject([{ state: "pending", code, started: 1 }]);
    expect(at("/elsewhere")).toEqual([]);
  });

  it("does not answer has timed out", async () => {
    receiver.answer(() => undefined);
    const { id } = await endpoint("/silent");
    const transport = createWebhookTransport({ allowPrivate: true });
    const delivery = { id: uuidv7(), topic: webhookTopic(id), type: "payment.succeeded", body: "{}", headers: {} };
    expect(await transport.deliver(env.context(), delivery, { timeoutMs: 80, destination: undefined })).toMatchObject({
      kind: "failed",
      code: "webhook.timeout",
    });
    await transport.close();
  });

  it("is not on the open internet is sent nothing, and that is said", async () => {
    const { id } = await endpoint("/inside");
    const strict = createWebhookTransport({ allowPrivate: false });
    const delivery = { id: uuidv7(), topic: webhookTopic(id), type: "payment.succeeded", body: "{}", headers: {} };
    expect(await strict.deliver(env.context(), delivery, { timeoutMs: 500, destination: undefined })).toMatchObject({
      kind: "failed",
      code: "webhook.unsafe_destination",
    });
    expect(at("/inside")).toEqual([]);
    await strict.close();
    await expect(
      createEndpoint(
        admin(),
        click(),
        { url: `${receiver.url}/x`, types: [], description: "" },
        { allowPrivate: false },
      ),
    ).rejects.toMatchObject({ code: "validation.webhook_url" });
  });

  it("WEBHOOK-4 answers 410 is disabled by the system, with the reason in the audit", async () => {
    const { id } = await endpoint("/gone");
    receiver.answer(() => ({ status: 410 }));
    await pay();
    await office.settle();
    expect(await messagesOf(id)).toMatchObject([{ state: "dead", code: "webhook.http_410", started: 1 }]);
    const { endpoints } = await readEndpoints(admin(), EVENT_TYPES);
    expect(endpoints[0]?.disabled).toMatchObject({ reason: "The endpoint answered 410 Gone." });
    expect(endpoints[0]).toMatchObject({ dead: 1, waiting: 0 });
    await pay();
    await office.settle();
    expect(at("/gone")).toHaveLength(1);
  });

  it("is disabled lets its messages rest, which is no attempt, and gets them when it is enabled", async () => {
    const { id } = await endpoint("/rests");
    receiver.answer(() => ({ status: 500 }));
    await pay();
    await office.settle();
    receiver.answer(() => ({ status: 204 }));
    await setEndpointDisabled(admin(), click(), id, true);
    now += 60_000;
    await office.hurry();
    await office.settle();
    expect(await messagesOf(id)).toMatchObject([{ state: "pending", code: "webhook.endpoint_disabled", started: 1 }]);
    expect((await readEndpoints(admin(), EVENT_TYPES)).endpoints[0]).toMatchObject({
      waiting: 1,
      disabled: { by: "Mira Okafor", reason: "a test" },
    });
    await setEndpointDisabled(admin(), click(), id, false);
    now += 60_000;
    await office.hurry();
    await office.settle();
    expect(await messagesOf(id)).toEqual([]);
    expect(at("/rests")).toHaveLength(2);
  });

  it("is disabled is sent to for as long as the relay remembers it, and no longer", async () => {
    const { id } = await endpoint("/remembered");
    receiver.answer(() => ({ status: 500 }));
    await pay();
    await pay();
    await office.settle();
    expect(at("/remembered")).toHaveLength(2);
    await setEndpointDisabled(admin(), click(), id, true);
    now += ENDPOINT_REMEMBERED_MS - 1;
    await office.hurry();
    await office.settle();
    expect(at("/remembered")).toHaveLength(4);
    receiver.answer(() => ({ status: 204 }));
    now += 1;
    await office.hurry();
    await office.settle();
    expect(at("/remembered")).toHaveLength(4);
    expect((await messagesOf(id)).map(({ state }) => state)).toEqual(["pending", "pending"]);
  });

  it("is deleted lets a message die when its turn comes, and not one that waits behind it", async () => {
    const { id } = await endpoint("/turns");
    receiver.answer(() => ({ status: 500 }));
    const { paymentId } = await pay();
    await refund(paymentId);
    await office.settle();
    await deleteEndpoint(admin(), click(), id);
    now += ENDPOINT_REMEMBERED_MS;
    await office.hurry();
    await office.settle();
    expect((await messagesOf(id)).map(({ state }) => state)).toEqual(["dead", "pending"]);
  });

  it("is deleted leaves its messages as dead letters that say so", async () => {
    const { id } = await endpoint("/deleted");
    receiver.answer(() => ({ status: 500 }));
    await pay();
    await office.settle();
    await deleteEndpoint(admin(), click(), id);
    now += 60_000;
    await office.hurry();
    await office.settle();
    expect(await messagesOf(id)).toMatchObject([{ state: "dead", code: "webhook.endpoint_deleted" }]);
    expect(await env.rows("select 1 from onceboard.webhook_secrets")).toEqual([]);
  });
});

describe("a secret that is rotated", () => {
  it("WEBHOOK-3 overlaps with the one before: both verify, until the older one is over", async () => {
    const { id, secret } = await endpoint("/rotates");
    const rotated = (await rotateSecret(admin(), click(), id)).secret ?? "";
    now += 60_000;
    await pay();
    await office.settle();
    const [both] = at("/rotates");
    if (both === undefined) throw new Error("nothing came");
    expect(String(both.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect([verifies(secret, both), verifies(rotated, both)]).toEqual([true, true]);
    const view = (await readEndpoints(admin(), EVENT_TYPES)).endpoints[0];
    expect(view?.secrets.map(({ expiresAt }) => expiresAt === undefined)).toEqual([true, false]);
    await env.rows(
      "update onceboard.webhook_secrets set expires_at = now() - interval '1 s' where expires_at is not null",
    );
    now += 60_000;
    await pay();
    await office.settle();
    const alone = at("/rotates").at(-1);
    if (alone === undefined) throw new Error("nothing came");
    expect([verifies(secret, alone), verifies(rotated, alone)]).toEqual([false, true]);
  });

  it("is shown once: a second click has the same answer without it, and makes no other", async () => {
    const same = click();
    const wanted = { url: `${receiver.url}/click`, types: [], description: "" };
    const first = await createEndpoint(admin(), same, wanted, { allowPrivate: true });
    const again = await createEndpoint(admin(), same, wanted, { allowPrivate: true });
    expect(first.secret).toMatch(/^whsec_/);
    expect(again).toMatchObject({ replayed: true, secret: undefined, answer: first.answer });
    const rows = await env.rows<{ secret: Buffer }>("select secret from onceboard.webhook_secrets");
    expect(rows).toHaveLength(1);
    expect(rows[0]?.secret.toString("latin1")).not.toContain("whsec_");
    const kept = await env.rows("select 1 from onceboard.audit_entries a where a::text like '%whsec_%'");
    expect(kept).toEqual([]);
  });

  it("cannot overlap with more than a few", async () => {
    const { id } = await endpoint("/many");
    for (let turn = 1; turn < 4; turn += 1) await rotateSecret(admin(), click(), id);
    await expect(rotateSecret(admin(), click(), id)).rejects.toMatchObject({ code: "webhook_endpoint.secrets" });
  });
});

describe("endpoints of a tenant", () => {
  it("are so many at the most, also when they are made at once", async () => {
    const made = await Promise.allSettled(
      Array.from({ length: MAX_ENDPOINTS + 5 }, (_, at) => endpoint(`/n${String(at)}`)),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_ENDPOINTS);
    expect(await env.rows("select count(*)::int as n from onceboard.webhook_endpoints")).toEqual([
      { n: MAX_ENDPOINTS },
    ]);
  });

  it("have one address each", async () => {
    await endpoint("/same");
    await expect(endpoint("/same")).rejects.toMatchObject({ code: "webhook_endpoint.exists" });
  });
});
