import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  setEndpointDisabled,
} from "@/console/webhooks/endpoint-actions";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { receive } from "@/engine/inbox/receive";
import { webhookTopic } from "@/engine/outbox/webhooks/topic";
import { createWebhookTransport } from "@/engine/outbox/webhooks/webhook-transport";
import { createConsumers, EVENT_TYPES } from "@/tests/support/payments";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { openPostOffice, type PostOffice } from "@/tests/support/post-office";
import { startWebhookReceiver, type WebhookReceiver } from "@/tests/support/webhook-receiver";

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
  for (const table of ["webhook_endpoints", "webhook_secrets", "outbox_messages"])
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
async function endpoint(path: string, types: readonly string[] = []): Promise<string> {
  const made = await createEndpoint(
    admin(),
    click(),
    { url: `${receiver.url}${path}`, types, description: "" },
    { allowPrivate: true },
  );
  return made.answer.after["id"] as string;
}
async function pay(): Promise<string> {
  const answer = await execute(env.context(), env.operations.createPayment, {
    key: uuidv7(),
    command: { accountId: "acc_1", amountMinor: 100n, currency: "EUR", channel: "web", merchantReference: undefined },
    receivedAt: performance.now(),
  });
  if (answer.outcome !== "executed") throw new Error(answer.outcome);
  return answer.operation.operationId;
}
/** The operations whose events came. */
const came = (path: string) =>
  receiver.got
    .filter((each) => each.path === path)
    .map(({ json }) => (json["data"] as { operationId: string }).operationId);
async function later(): Promise<void> {
  now += 60_000;
  await office.hurry();
  await office.settle();
}

describe("TRUTH-1 what the dialogs of an endpoint say of its events", () => {
  it("an endpoint gets what our inbox handles after it was added; what was handled before is handled all the same", async () => {
    const before = await pay();
    await office.settle();
    expect(
      await env.rows(
        "select state, result from onceboard.inbox_messages where consumer = 'webhooks' and operation_id = $1",
        before,
      ),
    ).toEqual([{ state: "processed", result: "nobody asked" }]);
    await endpoint("/added");
    await later();
    const after = await pay();
    await office.settle();
    expect(came("/added")).toEqual([after]);
  });

  it("an endpoint gets nothing of other sources, whatever their type", async () => {
    await endpoint("/ours");
    const data = {
      id: uuidv7(),
      type: "payment.succeeded",
      occurredAt: new Date().toISOString(),
      tenant: "acme",
      data: {},
    };
    await receive(env.context(), createConsumers(env.registry), {
      source: "bank",
      messageId: uuidv7(),
      type: "payment.succeeded",
      payload: data,
      payloadBytes: Buffer.from(JSON.stringify(data)),
      headers: {},
    });
    const own = await pay();
    await office.settle();
    expect(came("/ours")).toEqual([own]);
  });

  it("a change takes nothing back that waits, and leaves the address", async () => {
    const id = await endpoint("/changed");
    receiver.answer(() => ({ status: 503 }));
    const waiting = await pay();
    await office.settle();
    await changeEndpoint(admin(), click(), id, { types: ["refund.succeeded"], description: "" });
    await pay();
    receiver.answer(() => ({ status: 204 }));
    await later();
    expect(came("/changed")).toEqual([waiting, waiting]);
    const { endpoints } = await readEndpoints(admin(), EVENT_TYPES);
    expect(endpoints).toMatchObject([{ id, url: `${receiver.url}/changed`, types: ["refund.succeeded"] }]);
  });

  it("while it is disabled nothing is kept for it, and what was handled meanwhile does not come later", async () => {
    const id = await endpoint("/meanwhile");
    await setEndpointDisabled(admin(), click(), id, true);
    await pay();
    await later();
    expect(await env.rows("select 1 from onceboard.outbox_messages where topic = $1", webhookTopic(id))).toEqual([]);
    await setEndpointDisabled(admin(), click(), id, false);
    await later();
    expect(came("/meanwhile")).toEqual([]);
    const after = await pay();
    await office.settle();
    expect(came("/meanwhile")).toEqual([after]);
  });

  it("what was delivered to it stays on record when it is deleted", async () => {
    const id = await endpoint("/history");
    const operationId = await pay();
    await office.settle();
    await deleteEndpoint(admin(), click(), id);
    await later();
    expect(came("/history")).toEqual([operationId]);
    expect(
      await env.rows("select 1 as one from onceboard.outbox_history where topic = $1", webhookTopic(id)),
    ).toHaveLength(1);
    expect(
      await env.rows(
        "select state from onceboard.notifications where kind = 'webhook' and operation_id = $1",
        operationId,
      ),
    ).toEqual([{ state: "sent" }]);
  });
});
