import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messageAction } from "@/console/actions/message-actions";
import { resolveAction } from "@/console/actions/operation-actions";
import { purgeBody } from "@/console/actions/body-actions";
import { createPlan } from "@/console/plans/create-plan";
import { PLAN_TOGETHER_MINUTES } from "@/domain/plans/plan";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** The most that one person may let act alone (domain/plans/plan.ts). */
const ALONE = 24;
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.rows("delete from onceboard.single_acts");
  await env.rows("update onceboard.plans set state = 'aborted', started_at = null");
});

const dana = (id = "dana"): Actor => ({
  ...{ kind: "operator", id, name: id, role: "admin" },
  confirmation: { fresh: true, by: [] },
});
const key = (id: string): Actor => ({ kind: "client", id, name: id, scopes: ["admin"] });
function as(actor: Actor): EngineContext {
  const base = env.context();
  return engineContext(base, { tenantId: base.tenantId, actor, requestId: "req" });
}
const asked = (action: ActionRequest["action"], type: string, id: string): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type, id },
  reason: "read in the provider's dashboard",
  receivedAt: 0,
});

/** Operations that are unknown, each sent. @returns their ids */
async function unknown(count: number, amountMinor = 100n): Promise<string[]> {
  await env.faults({ timeout_after_accept: 1 });
  const make = async (): Promise<string> => {
    const reference = uuidv7();
    const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: reference, channel: "web" };
    await execute(env.context(), env.operations.createPayment, { key: reference, command, receivedAt: 0 });
    const [row] = await env.rows<{ id: string }>(
      "select operation_id as id from onceboard.idempotency_requests where key = $1",
      reference,
    );
    return row?.id ?? "";
  };
  const made = await Promise.all(Array.from({ length: count }, make));
  await env.faults({ timeout_after_accept: 0 });
  return made;
}
const resolve = (operationId: string, actor = dana(), decision: "succeeded" | "keep_waiting" = "succeeded") =>
  resolveAction(as(actor), env.registry, asked("operations.resolve", "operation", operationId), {
    ...{ operationId, decision, evidence: ["document"], reason: "read in the provider's dashboard" },
  });
const state = async (id: string) =>
  (await env.rows<{ state: string }>("select state from onceboard.idempotency_requests where operation_id = $1", id))[0]
    ?.state;

/** Dead messages of an inbox. @returns their ids */
async function dead(count: number, operationId?: string): Promise<string[]> {
  const rows = await env.rows<{ id: string }>(
    `with messages as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at,
         attempts_started, attempts_finished, last_error_code, operation_id)
       select 'acme', gen_random_uuid(), 'ledger', 's', gen_random_uuid()::text, 'payment.succeeded', '{}', '\\x00', 'dead', now(), 5, 5, 'code', $2
       from generate_series(1, $1) returning id, operation_id), letters as (
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, operation_id, error_fingerprint, error_code, error, attempts, dead_at)
     select 'acme', gen_random_uuid(), 'inbox', m.id, 'ledger', 'payment.succeeded', m.operation_id, 'code:1', 'code', 'it broke', 5, clock_timestamp() from messages m)
     select id from messages`,
    count,
    operationId ?? null,
  );
  return rows.map(({ id }) => id);
}
const discard = (id: string, actor = dana()) =>
  messageAction(as(actor), asked("inbox.discard", "inbox", id), { side: "inbox", id }, "discard");
const discarded = async (ids: readonly string[]) =>
  (await env.rows("select 1 from onceboard.inbox_messages where id = any ($1::uuid[]) and state = 'discarded'", ids))
    .length;

const outcomes = async (acts: readonly Promise<unknown>[]) => {
  const all = await Promise.allSettled(acts);
  const failed = all.flatMap((each) => (each.status === "rejected" ? [each.reason as { code: string }] : []));
  return { done: all.length - failed.length, codes: [...new Set(failed.map(({ code }) => code))] };
};

describe("PLAN-14 what one person does one by one counts as a plan of it would", () => {
  it("of 30 unknown payments that are resolved one by one the 25th and every later one is refused, and stays unknown", async () => {
    const ids = await unknown(30);
    for (const id of ids.slice(0, ALONE)) await resolve(id);
    await expect(resolve(ids[ALONE] ?? "")).rejects.toMatchObject({
      code: "plan.needed",
      status: 409,
      message:
        "Nothing was changed. 1 row here and 24 in single acts of the same person in the last hour make 25: 1 more than the 24 that one person may let act alone. Ask a second person to approve the decision, or make a plan that asks the provider about what is left.",
    });
    for (const id of ids.slice(ALONE)) {
      await expect(resolve(id)).rejects.toMatchObject({ code: "plan.needed" });
      expect(await state(id)).toBe("UNKNOWN_REQUIRES_RECOVERY");
    }
    // To wait settles nothing, so it is not counted; and another person has a count of their own.
    await resolve(ids[25] ?? "", dana(), "keep_waiting");
    await resolve(ids[26] ?? "", dana("mira"));
    expect(await state(ids[26] ?? "")).toBe("COMPLETED");
  });

  it("counts money: what brings the sum to the limit is refused", async () => {
    const [first = "", second = "", third = ""] = await unknown(3, 400_000n);
    await resolve(first);
    await resolve(second);
    await expect(resolve(third)).rejects.toMatchObject({
      code: "plan.needed",
      message: expect.stringContaining("make €12,000.00: €2,000.00 above €10,000.00") as string,
    });
  });

  it("one payment at the limit is resolved by no one person", async () => {
    const [id = ""] = await unknown(1, 1_000_000n);
    await expect(resolve(id)).rejects.toMatchObject({
      code: "plan.needed",
      message: expect.stringMatching(
        /at stake: from that amount on two people decide\. Ask a second person to approve the decision, /,
      ) as string,
    });
    expect(await state(id)).toBe("UNKNOWN_REQUIRES_RECOVERY");
    // To wait settles nothing.
    await resolve(id, dana(), "keep_waiting");
  });

  it("of 12 that are resolved at the same time no more pass than one after the other", async () => {
    const ids = await unknown(12, 200_000n);
    expect(await outcomes(ids.map((id) => resolve(id)))).toEqual({ done: 4, codes: ["plan.needed"] });
    const states = await Promise.all(ids.map(state));
    expect(states.filter((each) => each === "COMPLETED")).toHaveLength(4);
  });

  it("of 30 messages that are discarded at the same time, on as many connections, 24 pass", async () => {
    const ids = await dead(30);
    expect(await outcomes(ids.map((id) => discard(id)))).toEqual({ done: ALONE, codes: ["plan.needed"] });
    expect(await discarded(ids)).toBe(ALONE);
  });

  it("a message that stands for money over the limit is discarded by a plan only", async () => {
    const [operation] = await unknown(1, 1_000_000n);
    const [id = ""] = await dead(1, operation);
    await expect(discard(id)).rejects.toMatchObject({
      code: "plan.needed",
      message: expect.stringContaining("Make a plan of what is left: a second person approves it.") as string,
    });
    expect(await discarded([id])).toBe(0);
  });

  it("of 30 bodies that are purged one by one 24 go", async () => {
    const ids = await unknown(30);
    await env.rows("delete from onceboard.idempotency_open where operation_id = any ($1::uuid[])", ids);
    await env.rows(
      "update onceboard.idempotency_requests set state = 'COMPLETED' where operation_id = any ($1::uuid[])",
      ids,
    );
    const purge = (id: string) => purgeBody(as(dana()), asked("operations.purge_body", "operation", id), id);
    expect(await outcomes(ids.map(purge))).toEqual({ done: ALONE, codes: ["plan.needed"] });
    const left = await env.rows(
      "select 1 from onceboard.idempotency_requests where operation_id = any ($1::uuid[]) and body_purged_at is null",
      ids,
    );
    expect(left).toHaveLength(6);
  });

  it("single acts and plans count together, in both orders", async () => {
    const ids = await dead(20);
    for (const id of ids.slice(0, 5)) await discard(id);
    const letters = await env.rows<{ id: string }>(
      "select id from onceboard.dead_letters where message_row_id = any ($1::uuid[])",
      ids.slice(5),
    );
    const wish = (list: readonly { id: string }[]) =>
      ({ kind: "discard_dead_letters", scope: { by: "ids", ids: list.map(({ id }) => id) } }) as const;
    const plan = async (list: readonly { id: string }[]) =>
      (await createPlan(as(dana()), asked("plans.create", "plan", "new"), wish(list))).answer.after;
    expect(await plan(letters)).toMatchObject({ state: "ready" });
    const more = await dead(10);
    for (const id of more.slice(0, 4)) await discard(id);
    await expect(discard(more[4] ?? "")).rejects.toMatchObject({
      message: expect.stringContaining(
        "1 row here and 24 in 1 more plan that the same person has ready or ran in the last hour, with 9 single acts of theirs, make 25",
      ) as string,
    });
    const others = await env.rows<{ id: string }>(
      "select id from onceboard.dead_letters where message_row_id = any ($1::uuid[])",
      more.slice(4),
    );
    expect(await plan(others)).toMatchObject({ state: "awaiting_approval" });
  });

  it("what is older than the window counts no longer, and its rows go", async () => {
    for (const id of await dead(ALONE)) await discard(id);
    const [late = ""] = await dead(1);
    await expect(discard(late)).rejects.toMatchObject({ code: "plan.needed" });
    await env.rows(
      "update onceboard.single_acts set at = clock_timestamp() - make_interval(mins => $1)",
      PLAN_TOGETHER_MINUTES,
    );
    await discard(late);
    expect(await env.rows("select 1 from onceboard.single_acts")).toHaveLength(1);
  });

  it("two keys of the command line count together: those of one holder, and those that name none with everybody's", async () => {
    const keyOf = (client: string, holder: string | null) =>
      env.rows(
        `insert into onceboard.api_keys (tenant_id, id, client_id, secret_hash, scopes, profile, holder)
         values ('acme', gen_random_uuid()::text, $1, '\\x00', '{admin}', 'problem', $2)`,
        client,
        holder,
      );
    await keyOf("held-1", "op-ada");
    await keyOf("held-2", "op-ada");
    const ids = await dead(30);
    for (const id of ids.slice(0, 12)) await discard(id, key("held-1"));
    for (const id of ids.slice(12, ALONE)) await discard(id, key("held-2"));
    for (const actor of [key("held-1"), key("held-2"), dana("op-ada")])
      await expect(discard(ids[ALONE] ?? "", actor)).rejects.toMatchObject({ code: "plan.needed" });
    await discard(ids[ALONE] ?? "", dana("op-ben"));
    await keyOf("nobody", null);
    await expect(discard(ids[25] ?? "", key("nobody"))).rejects.toMatchObject({ code: "plan.needed" });
  });
});
