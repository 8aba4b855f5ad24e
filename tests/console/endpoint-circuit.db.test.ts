import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEndpoint, deleteEndpoint, setEndpointDisabled, testEndpoint } from "@/console/webhooks/endpoint-actions";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { webhookTopic } from "@/engine/outbox/webhooks/topic";
import { createWebhookTransport } from "@/engine/outbox/webhooks/webhook-transport";
import { createConsumers, EVENT_TYPES } from "@/tests/support/payments";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { openPostOffice, type PostOffice } from "@/tests/support/post-office";
import { startWebhookReceiver, type WebhookReceiver } from "@/tests/support/webhook-receiver";

/** Failures in a row that open a circuit. */
const OPENS_AT = 5;

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
  for (const table of ["webhook_endpoints", "webhook_secrets", "outbox_messages", "topic_circuits"])
    await env.rows(`delete from onceboard.${table}`);
});

function admin(): EngineContext {
  const ctx = env.context();
  const confirmation = { fresh: true, by: ["password"] } as const;
  return engineContext(ctx, {
    ...ctx,
    actor: { kind: "operator", id: "op-1", name: "Mira Okafor", role: "admin", confirmation },
  });
}
const click = () => ({ idempotencyKey: randomUUID(), receivedAt: performance.now(), reason: "a test" });
async function endpoint(path: string): Promise<string> {
  const url = `${receiver.url}${path}`;
  const made = await createEndpoint(admin(), click(), { url, types: [], description: "" }, { allowPrivate: true });
  return made.answer.after["id"] as string;
}
async function pay(times = 1): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const command = {
      accountId: "acc_1",
      amountMinor: 100n,
      currency: "EUR",
      channel: "web",
      merchantReference: undefined,
    } as const;
    await execute(env.context(), env.operations.createPayment, {
      key: uuidv7(),
      command,
      receivedAt: performance.now(),
    });
  }
}
async function ask(id: string): Promise<{ readonly changed: boolean; readonly why: string | undefined }> {
  const { answer } = await testEndpoint(admin(), click(), id);
  return { changed: answer.changed, why: answer.skipped[0]?.why };
}
const at = (path: string) => receiver.got.filter((webhook) => webhook.path === path);
const attempts = async (id: string) =>
  (
    await env.rows<{ started: number }>(
      "select attempts_started as started from onceboard.outbox_messages where topic = $1 and state = 'pending'",
      webhookTopic(id),
    )
  ).map(({ started }) => started);
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const circuit = async (id: string) =>
  (
    await env.rows<{ failures: number; canaries: number; open: boolean; waits: number }>(
      `select failures, canaries, opened_at is not null as open, extract(epoch from canary_at - now())::int as waits
       from onceboard.topic_circuits where topic = $1`,
      webhookTopic(id),
    )
  )[0];
/** The canary is due, and so is every message. */
async function canaryIsDue(id: string): Promise<void> {
  await env.rows("update onceboard.topic_circuits set canary_at = now() where topic = $1", webhookTopic(id));
  await office.hurry();
}
async function down(path: string, messages = 12): Promise<string> {
  const id = await endpoint(path);
  receiver.answer(() => ({ status: 503 }));
  await pay(messages);
  await office.settle();
  return id;
}

describe("WEBHOOK-6 an endpoint that is down", () => {
  it("opens its circuit after failures in a row: what waits is not tried, and spends no attempt", async () => {
    const id = await down("/opens");
    expect(await circuit(id)).toMatchObject({ open: true, canaries: 0 });
    expect(sum(await attempts(id))).toBe(OPENS_AT);
    const tried = at("/opens").length;
    expect(tried).toBeLessThan(12);
    await office.hurry();
    await office.settle();
    expect(at("/opens")).toHaveLength(tried);
    const { endpoints } = await readEndpoints(admin(), EVENT_TYPES);
    expect(endpoints[0]).toMatchObject({ waiting: 12, dead: 0, down: { failures: expect.any(Number) as number } });
  });

  it("gets one canary when that is due, whoever else relays, and the next one later each time", async () => {
    const id = await down("/canary");
    const spent = sum(await attempts(id));
    for (const canaries of [1, 2, 3]) {
      const before = at("/canary").length;
      await canaryIsDue(id);
      await Promise.all([office.relayOnce(), office.relayOnce(), office.relayOnce()]);
      expect(at("/canary")).toHaveLength(before + 1);
      const { waits = 0, ...after } = (await circuit(id)) ?? {};
      expect(after).toMatchObject({ canaries, open: true });
      expect(waits).toBeGreaterThanOrEqual(30 * 2 ** canaries * 0.5 - 2);
      expect(waits).toBeLessThanOrEqual(30 * 2 ** canaries + 1);
    }
    expect(sum(await attempts(id))).toBe(spent);
  });

  it("goes on with all that waits once a canary has worked", async () => {
    const id = await down("/back");
    receiver.answer(() => ({ status: 204 }));
    await canaryIsDue(id);
    await office.settle();
    expect(await attempts(id)).toEqual([]);
    expect(await circuit(id)).toBeUndefined();
    expect(new Set(at("/back").map(({ headers }) => headers["webhook-id"])).size).toBe(12);
  });

  it("is not held down by one message that always fails: the next canary is another", async () => {
    const id = await down("/poison");
    const [first] = at("/poison");
    const poison = (body: { readonly headers: Readonly<Record<string, unknown>> }) =>
      body.headers["webhook-id"] === first?.headers["webhook-id"];
    receiver.answer((webhook) => ({ status: poison(webhook) ? 400 : 204 }));
    await env.rows(
      "update onceboard.outbox_messages set next_attempt_at = now() - interval '1 hour' where topic = $1",
      webhookTopic(id),
    );
    await env.rows(
      "update onceboard.outbox_messages set next_attempt_at = '-infinity' where id = $1",
      first?.headers["webhook-id"],
    );
    for (const _ of [1, 2]) {
      await env.rows("update onceboard.topic_circuits set canary_at = now() where topic = $1", webhookTopic(id));
      await office.settle();
    }
    expect(await attempts(id)).toHaveLength(1);
    expect((await circuit(id))?.open).not.toBe(true);
  });

  it("a canary whose relay died is sent again after its lease, not before", async () => {
    const id = await down("/dies");
    await canaryIsDue(id);
    const claim = () =>
      env.rows("select id from onceboard.claim_outbox('acme', $1, 'relay-1', 30000, 200)", webhookTopic(id));
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toHaveLength(0);
    await env.rows("update onceboard.outbox_messages set locked_until = now() where locked_until is not null");
    await env.rows("update onceboard.topic_circuits set canary_at = now()");
    expect(await claim()).toHaveLength(1);
  });

  it("gets its canary now when a person asks for it, one and no more, and its failure counts as every canary's", async () => {
    const id = await down("/asked");
    const spent = sum(await attempts(id));
    // No message would be due for hours either.
    await env.rows("update onceboard.outbox_messages set next_attempt_at = now() + interval '5 hours'");
    const tried = at("/asked").length;
    await office.settle();
    expect(at("/asked")).toHaveLength(tried);
    expect(await ask(id)).toEqual({ changed: true, why: undefined });
    await Promise.all([office.relayOnce(), office.relayOnce(), office.relayOnce()]);
    expect(at("/asked")).toHaveLength(tried + 1);
    const { waits = 0, ...after } = (await circuit(id)) ?? {};
    expect(after).toMatchObject({ canaries: 1, open: true });
    expect(waits).toBeGreaterThanOrEqual(28);
    expect(sum(await attempts(id))).toBe(spent);
    receiver.answer(() => ({ status: 204 }));
    await ask(id);
    await office.settle();
    expect(await circuit(id)).toBeUndefined();
    await office.hurry();
    await office.settle();
    expect(await attempts(id)).toEqual([]);
  });

  it("is asked with the message whose turn comes first, and never with one behind another", async () => {
    const id = await down("/first");
    // Two of each payment; the later ones are due earlier.
    await env.rows(
      `update onceboard.outbox_messages set next_attempt_at = now() + make_interval(hours => 20 - n.n::int), aggregate_id = 'pay_' || (n.n + 1) / 2
       from (select id, row_number() over (order by position) as n from onceboard.outbox_messages where topic = $1) n where n.id = outbox_messages.id`,
      webhookTopic(id),
    );
    const [first] = await env.rows<{ id: string }>(
      "select id from onceboard.outbox_messages where topic = $1 order by position offset 10 limit 1",
      webhookTopic(id),
    );
    await ask(id);
    const claimed = await env.rows<{ id: string }>(
      "select id from onceboard.claim_outbox('acme', $1, 'relay-1', 30000, 200)",
      webhookTopic(id),
    );
    expect(claimed).toEqual([first]);
    expect(await ask(id)).toEqual({ changed: false, why: "A test is under way." });
  });

  it("says why none is sent: it is not down, disabled or paused, or nothing can go", async () => {
    const id = await endpoint("/none");
    expect(await ask(id)).toEqual({ changed: false, why: "It is not down." });
    const isDown = await down("/why");
    const topic = webhookTopic(isDown);
    await env.rows(
      "insert into onceboard.topics (tenant_id, topic, paused_at, paused_by, pause_reason, updated_by) values ('acme', $1, now(), 'op-1', 'a test', 'op-1')",
      topic,
    );
    expect(await ask(isDown)).toEqual({ changed: false, why: "Its topic is paused." });
    await env.rows("delete from onceboard.topics where topic = $1", topic);
    await env.rows("update onceboard.outbox_messages set state = 'dead' where topic = $1", topic);
    expect(await ask(isDown)).toEqual({ changed: false, why: "No message can be sent there now." });
    await setEndpointDisabled(admin(), click(), isDown, true);
    expect(await ask(isDown)).toEqual({ changed: false, why: "It is disabled." });
  });

  it("is disabled by the system after three days, nothing dies, and enabling it sends everything", async () => {
    const id = await down("/days");
    await env.rows("update onceboard.topic_circuits set opened_at = now() - interval '3 days'");
    await canaryIsDue(id);
    await office.settle();
    const { endpoints } = await readEndpoints(admin(), EVENT_TYPES);
    expect(endpoints[0]).toMatchObject({
      waiting: 12,
      dead: 0,
      disabled: { reason: "No delivery has worked for three days." },
    });
    receiver.answer(() => ({ status: 204 }));
    await setEndpointDisabled(admin(), click(), id, false);
    now += 60_000;
    await office.hurry();
    await office.settle();
    expect(await attempts(id)).toEqual([]);
  });

  it("and is deleted has what waited refused at once", async () => {
    const id = await down("/deleted");
    await deleteEndpoint(admin(), click(), id);
    now += 60_000;
    await office.hurry();
    await office.settle();
    expect(await attempts(id)).toEqual([]);
  });
});

describe("WEBHOOK-7 a message that fails at an endpoint that answers others", () => {
  it("waits longer each time, over three days, and closes no door for others", async () => {
    const id = await endpoint("/one");
    receiver.answer(() => ({ status: 400 }));
    await pay();
    await office.settle();
    const waits = async () =>
      (
        await env.rows<{ waits: number }>(
          "select extract(epoch from next_attempt_at - now())::int as waits from onceboard.outbox_messages where topic = $1",
          webhookTopic(id),
        )
      )[0]?.waits ?? 0;
    expect(await waits()).toBeGreaterThanOrEqual(3);
    expect(await waits()).toBeLessThanOrEqual(6);
    await env.rows(
      "update onceboard.outbox_messages set attempts_started = 6, attempts_finished = 6, next_attempt_at = '-infinity'",
    );
    await office.settle();
    expect(await waits()).toBeGreaterThan(5 * 3_600 * 0.89);
    expect(await waits()).toBeLessThan(5 * 3_600 * 1.11);
  });
});
