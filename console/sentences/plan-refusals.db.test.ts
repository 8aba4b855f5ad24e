import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTransaction } from "@/db/transaction";
import type { ActionRequest } from "@/engine/actions/action-answer";
import type { Actor } from "@/engine/context";
import { relay } from "@/engine/outbox/relay";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { createPlan, type PlanWish } from "@/console/plans/create-plan";
import { abortPlan, decidePlan, startPlan } from "@/console/plans/decide-plan";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const admin = (id: string) => env.context({ actor: operator("admin", id) });
const till = () =>
  env.context({ actor: { kind: "client", id: "till", name: "till", scopes: ["admin"] } satisfies Actor });
const asked = (action: ActionRequest["action"], id = "new"): ActionRequest => ({
  ...{ action, idempotencyKey: uuidv7(), input: {}, subject: { type: "plan", id } },
  ...{ reason: "the receiver is back", receivedAt: performance.now() },
});
const plan = async (wish: PlanWish, ctx = admin("op-mira")): Promise<string> =>
  String((await createPlan(ctx, asked("plans.create"), wish)).answer.after["planId"]);
const byIds = (kind: PlanWish["kind"], ...ids: string[]): PlanWish => ({ kind, scope: { by: "ids", ids } });
const read = async (id: string) => {
  const view = await readPlan(admin("op-mira"), { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
};
async function run(id: string): Promise<void> {
  await startPlan(admin("op-mira"), asked("plans.start", id), id);
  do await env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
  while ((await runPlan(env.context())).plans > 0);
}
/** @returns a dead message and its dead letter */
async function dead(): Promise<{ readonly message: string; readonly letter: string }> {
  const message = await env.outbox();
  await relay(
    env.context(),
    through(() => ({ kind: "rejected", code: "delivery.http_422", reason: "as the test says" })),
  );
  const [row] = await env.rows<{ id: string }>(
    "select id from onceboard.dead_letters where message_row_id = $1",
    message,
  );
  return { message, letter: row?.id ?? "" };
}

describe("PLAN-2 a plan that waits for a second person", () => {
  const waiting = async (ctx = admin("op-mira")): Promise<string> => {
    const id = await plan(byIds("discard_dead_letters", (await dead()).letter), ctx);
    await env.rows(
      "update onceboard.plans set state = 'awaiting_approval', approval_needed = 'asked' where id = $1",
      id,
    );
    return id;
  };
  const rowOf = (id: string) => env.rows("select p::text from onceboard.plans p where id = $1", id);
  const decide = (ctx: ReturnType<typeof admin>, id: string, decision: "approve" | "reject") =>
    decidePlan(ctx, asked("plans.decide", id), id, { decision, start: false });

  it("is neither approved nor rejected by who asked, by themselves or with a key that they made; they may abort it", async () => {
    await env.rows(
      `insert into onceboard.api_keys (tenant_id, id, client_id, secret_hash, scopes, profile, created_by, revoked_at)
       values ($1, 'key-1', 'till', '\\x00', '{admin}', 'problem', 'operator:op-mira', now())`,
      TENANT,
    );
    for (const id of [await waiting(), await waiting(till())]) {
      const before = await rowOf(id);
      for (const decision of ["approve", "reject"] as const)
        await expect(decide(admin("op-mira"), id, decision)).rejects.toMatchObject({
          code: "plan.own_request",
          message:
            "Nothing was changed. Whoever asks for a plan, also with a key of a client that they made or hold a key of, cannot approve or reject it; abort it instead.",
        });
      expect(await rowOf(id)).toEqual(before);
      await abortPlan(admin("op-mira"), asked("plans.abort", id), id);
      expect(await read(id)).toMatchObject({ state: "aborted" });
    }
  });

  it("is approved by no API key, and starts for nobody before", async () => {
    const id = await waiting();
    const before = await rowOf(id);
    await expect(decide(till(), id, "approve")).rejects.toMatchObject({
      code: "auth.person_only",
      message: "A person approves a plan, not an API key. Nothing was changed.",
    });
    await expect(startPlan(admin("op-ines"), asked("plans.start", id), id)).rejects.toMatchObject({
      code: "plan.state",
      message: "Nothing was changed. A second person must approve first.",
    });
    expect(await rowOf(id)).toEqual(before);
    await decide(admin("op-ines"), id, "approve");
    await expect(decide(admin("op-ines"), id, "approve")).rejects.toMatchObject({
      message: "Nothing was changed. It waits for nobody's approval.",
    });
    await run(id);
    expect(await read(id)).toMatchObject({ state: "done" });
  });
});

describe("PLAN-4 rows that are gone, or held by somebody", () => {
  it("make no plan where none matches", async () => {
    const count = async () => (await env.rows("select 1 from onceboard.plans")).length;
    const before = await count();
    await expect(plan(byIds("requeue_dead_letters", uuidv7()))).rejects.toMatchObject({
      code: "plan.nothing",
      message: "No row matches, so no plan was made.",
    });
    expect(await count()).toBe(before);
  });

  it("are skipped, and the outcome says which of the two is gone", async () => {
    const [whole, letter, message] = [await dead(), await dead(), await dead()];
    const id = await plan(byIds("requeue_dead_letters", whole.letter, letter.letter, message.letter));
    await env.rows("delete from onceboard.dead_letters where id = $1", letter.letter);
    await env.rows("delete from onceboard.outbox_messages where id = $1", message.message);
    await run(id);
    const outcomes = new Map((await read(id)).items.rows.map((row) => [row.targetId, [row.state, row.outcome]]));
    expect([whole, letter, message].map((each) => outcomes.get(each.letter))).toEqual([
      ["done", "Requeued."],
      ["skipped", "There is no such dead letter any more."],
      ["skipped", "There is no such message any more."],
    ]);
    const again = await read(await plan(byIds("discard_dead_letters", message.letter)));
    expect(again.items.rows).toMatchObject([
      { state: "skipped", verdict: "moved", verdictReason: "There is no such message any more." },
    ]);
  });

  it("keep the body that somebody else is working on", async () => {
    const [held, free] = [await env.operation({ ageHours: 30 }), await env.operation({ ageHours: 30 })];
    const id = await plan(byIds("purge_bodies", held, free));
    await inTransaction(env.owner, async (tx) => {
      await tx.query({
        text: "select 1 from onceboard.idempotency_requests where operation_id = $1 for update",
        values: [held],
      });
      await run(id);
    });
    const outcomes = new Map((await read(id)).items.rows.map((row) => [row.targetId, row.outcome]));
    expect(outcomes.get(held)).toBe("Somebody else was working on it.");
    expect(outcomes.get(free)).toMatch(/^2 bodies purged/);
    const bodies = (of: string) => env.rows("select 1 from onceboard.idempotency_bodies where operation_id = $1", of);
    expect([(await bodies(held)).length, (await bodies(free)).length]).toEqual([2, 0]);
  });
});
