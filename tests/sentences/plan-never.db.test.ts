import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlan, type PlanWish } from "@/console/plans/create-plan";
import { startPlan } from "@/console/plans/decide-plan";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { consume } from "@/engine/inbox/consume";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import { through } from "@/engine/testing/transports";
import { createConsumers } from "@/tests/support/payments";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** What the page of a plan says that it never does (`KIND_NEVER`), of plans that ran over real rows. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());

function as(actor: Actor): EngineContext {
  const base = env.context();
  return engineContext(base, { tenantId: base.tenantId, actor, requestId: "req" });
}
const DANA: Actor = {
  kind: "operator",
  id: "dana",
  name: "dana",
  role: "operator",
  confirmation: { fresh: true, by: [] },
};
const asked = (action: ActionRequest["action"], id = "new"): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type: "plan", id },
  reason: "the receiver is back",
  receivedAt: 0,
});
/** Runs a plan over these rows to its end. @param meanwhile after its dry run */
async function ran(
  kind: PlanWish["kind"],
  ids: readonly string[],
  meanwhile?: () => Promise<unknown>,
): Promise<string> {
  const made = await createPlan(as(DANA), asked("plans.create"), { kind, scope: { by: "ids", ids } });
  const id = String(made.answer.after["planId"]);
  await meanwhile?.();
  await startPlan(as(DANA), asked("plans.start", id), id);
  for (let turn = 0; turn < 20; turn += 1) {
    await env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
    const ctx = as({ kind: "system", id: "plans", name: "plans" });
    if ((await runPlan(ctx, { registry: env.registry })).plans === 0) break;
  }
  return id;
}
const outcomes = async (id: string) =>
  (await readPlan(as(DANA), { id, filters: { show: "all" } }))?.items.rows.map(({ outcome }) => outcome);

async function pay(key: string): Promise<string> {
  const command = { accountId: "acc_1", amountMinor: 4_200n, currency: "EUR", merchantReference: key, channel: "web" };
  await execute(env.context(), env.operations.createPayment, { key, command, receivedAt: 0 });
  const [row] = await env.rows<{ id: string }>(
    "select operation_id as id from onceboard.idempotency_requests where key = $1",
    key,
  );
  return row?.id ?? "";
}
/** Its event, refused by its receiver. @returns its message and its dead letter */
async function deadEventOf(operationId: string) {
  await relay(
    env.context(),
    through(() => ({ kind: "rejected", code: "delivery.http_422", reason: "no" })),
  );
  const [row] = await env.rows<{ message: string; letter: string }>(
    "select message_row_id as message, id as letter from onceboard.dead_letters where operation_id = $1",
    operationId,
  );
  if (row === undefined) throw new Error("it is not dead");
  return row;
}
const messageOf = (id: string) =>
  env.rows("select id, payload, topic, type, operation_id from onceboard.outbox_messages where id = $1", id);
/** As if its bodies were older than its policy keeps them. */
const aged = (operationId: string) =>
  env.rows(
    "update onceboard.idempotency_bodies set created_at = created_at - interval '25 hours' where operation_id = $1",
    operationId,
  );
/** All that money is: what the provider did and was asked, the payments, and the ledger. */
const money = async () => ({
  provider: await env.ledger(),
  calls: await env.rows("select * from onceboard.provider_requests order by id"),
  payments: await env.rows("select * from payments.payments order by id"),
  entries: await env.rows("select * from payments.ledger_entries order by id"),
});

describe("TRUTH-1 what a plan never does", () => {
  it("a requeue keeps id and body, calls no provider and touches no payment", async () => {
    const { message, letter } = await deadEventOf(await pay("requeued"));
    const [before, then] = [await messageOf(message), await money()];
    await ran("requeue_dead_letters", [letter]);
    expect(await env.rows("select state from onceboard.outbox_messages where id = $1", message)).toEqual([
      { state: "pending" },
    ]);
    expect(await messageOf(message)).toEqual(before);
    expect(await money()).toEqual(then);
    await env.rows("delete from onceboard.outbox_messages");
  });

  it("but for a webhook of the provider, which has its open operation recovered", async () => {
    await env.faults({ timeout_after_accept: 1 });
    const operationId = await pay("webhook");
    await env.faults({ timeout_after_accept: 0 });
    const [call] = await env.rows<{ key: string }>(
      "select provider_key as key from onceboard.provider_requests where operation_id = $1",
      operationId,
    );
    const payload = {
      type: "charge.succeeded",
      data: { providerKey: call?.key, status: "succeeded", metadata: { operationId } },
    };
    const { inboxIds } = await receive(env.context(), createConsumers(env.registry), {
      source: "provider",
      messageId: uuidv7(),
      type: "charge.succeeded",
      payload,
      payloadBytes: Buffer.from(JSON.stringify(payload)),
      headers: {},
    });
    await env.rows("delete from onceboard.inbox_open where id = $1", inboxIds[0]);
    await env.rows(
      "update onceboard.inbox_messages set state = 'dead', attempts_started = 5, attempts_finished = 5 where id = $1",
      inboxIds[0],
    );
    const [letter] = await env.rows<{ id: string }>(
      `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, operation_id, error_fingerprint, error_code, error, attempts, dead_at)
       select tenant_id, gen_random_uuid(), 'inbox', id, consumer, type, operation_id, 'code:1', 'code', 'it broke', 5, clock_timestamp()
       from onceboard.inbox_messages where id = $1 returning id`,
      inboxIds[0],
    );
    const charged = (await env.ledger()).length;
    await ran("requeue_dead_letters", [letter?.id ?? ""]);
    while ((await consume(env.context(), createConsumers(env.registry))).claimed > 0);
    expect(await env.rows("select state from onceboard.idempotency_requests where key = 'webhook'")).toEqual([
      { state: "COMPLETED" },
    ]);
    expect((await env.ledger()).length).toBe(charged);
    await env.rows("delete from onceboard.outbox_messages");
  });

  it("a discard edits no message, moves no money and cannot be taken back", async () => {
    const { message, letter } = await deadEventOf(await pay("discarded"));
    const [before, then] = [await messageOf(message), await money()];
    await ran("discard_dead_letters", [letter]);
    await ran("requeue_dead_letters", [letter]).catch(() => undefined);
    expect(await env.rows("select state from onceboard.outbox_messages where id = $1", message)).toEqual([
      { state: "discarded" },
    ]);
    expect(await messageOf(message)).toEqual(before);
    expect(await money()).toEqual(then);
  });

  it("a purge keeps key, fingerprint, state and events, and a retry runs nothing", async () => {
    const operationId = await pay("purged");
    await env.context().answers.flush();
    const kept = async () => ({
      key: await env.rows(
        "select key, fingerprint, state from onceboard.idempotency_requests where operation_id = $1",
        operationId,
      ),
      events: (
        await env.rows<{ id: string }>(
          "select id from onceboard.idempotency_events where operation_id = $1",
          operationId,
        )
      ).map(({ id }) => id),
    });
    const [before, then] = [await kept(), await money()];
    await aged(operationId);
    await ran("purge_bodies", [operationId]);
    expect(await env.rows("select 1 from onceboard.idempotency_bodies where operation_id = $1", operationId)).toEqual(
      [],
    );
    const after = await kept();
    expect(after.key).toEqual(before.key);
    expect(after.events).toEqual(expect.arrayContaining(before.events));
    await pay("purged");
    expect(await money()).toEqual(then);
  });

  it("a row whose operation is gone since the dry run is skipped, and says so", async () => {
    const operationId = await pay("gone");
    await aged(operationId);
    const id = await ran("purge_bodies", [operationId], () =>
      env.rows("delete from onceboard.idempotency_requests where operation_id = $1", operationId),
    );
    expect(await outcomes(id)).toEqual(["There is no such operation any more."]);
  });
});
