import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { meanwhile } from "@/console/testing/meanwhile";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { relay } from "@/engine/outbox/relay";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { revealCorrection } from "../actions/reveal-messages";
import { createPlan } from "./create-plan";
import { decidePlan } from "./decide-plan";
import { correctionInput, correctionSubject, proposeCorrection } from "./propose-correction";
import { readPlan } from "./read-plan";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const mira = () => env.context({ actor: operator("operator", "op-mira") });
const ines = () => env.context({ actor: operator("approver", "op-ines") });
const asked = (action: ActionRequest["action"], type: string, id: string): ActionRequest => ({
  ...{ action, idempotencyKey: uuidv7(), input: {}, subject: { type, id } },
  ...{ reason: "the merchant wants the amount as a text", receivedAt: performance.now() },
});
async function dead(): Promise<string> {
  const id = await env.outbox({ data: { amount: 10.5 } });
  await relay(
    env.context(),
    through(() => ({ kind: "rejected", code: "delivery.http_422", reason: "as the test says" })),
  );
  return id;
}
async function propose(id: string): Promise<string> {
  const [row] = await env.rows<{ payload: { data: object } }>(
    "select payload from onceboard.outbox_messages where id = $1",
    id,
  );
  const text = JSON.stringify({ ...row?.payload, data: { ...row?.payload.data, amount: "10.50" } });
  const request = { ...asked("outbox.correct", "outbox", id), input: correctionInput(text) };
  return String((await proposeCorrection(mira(), request, id, text)).answer.after["planId"]);
}
const decide = (id: string, decision: "approve" | "reject") =>
  decidePlan(ines(), asked("plans.decide", "plan", id), id, { decision, start: true });
const read = async (id: string) => readPlan(ines(), { id, filters: { show: "all" } });
/** All that is kept of a message and its corrections. */
const kept = (id: string) =>
  env.rows(
    `select (select json_agg(m) from onceboard.outbox_messages m where m.id = $1 or m.headers ->> 'corrects' = $1::text) as messages,
       (select json_agg(p) from onceboard.plans p where p.filter ->> 'corrects' = $1::text) as plans,
       (select json_agg(c) from onceboard.message_corrections c where c.message_id = $1) as corrections`,
    id,
  );
const requeued = (id: string): string =>
  `update onceboard.outbox_messages set state = 'pending' where id = '${id}';
   update onceboard.dead_letters set settled_at = now(), settled_by = 'Dana', settlement = 'requeued' where message_row_id = '${id}'`;

describe("CORRECT-3 a correction while somebody else is faster", () => {
  const PROPOSED = "Nothing was sent. A correction of it waits for approval, or it is not dead any more.";

  it("is not proposed twice", async () => {
    const id = await dead();
    const first = `insert into onceboard.message_corrections (tenant_id, plan_id, message_id, dead_letter_id, body, bytes, changes)
      select '${TENANT}', gen_random_uuid(), '${id}', id, '\\x00', 1, '[]' from onceboard.dead_letters where message_row_id = '${id}'`;
    await expect(meanwhile(env, first, () => propose(id))).rejects.toMatchObject({
      code: "correction.not_possible",
      message: PROPOSED,
    });
    expect(await kept(id)).toMatchObject([{ messages: [{ state: "dead" }], plans: null, corrections: [{ bytes: 1 }] }]);
  });

  it("is not proposed of a message that is requeued while it is kept", async () => {
    const id = await dead();
    await expect(meanwhile(env, requeued(id), () => propose(id))).rejects.toMatchObject({ message: PROPOSED });
    expect(await kept(id)).toMatchObject([{ messages: [{ state: "pending" }], plans: null, corrections: null }]);
  });

  it("is not proposed of a message that is requeued while it is judged", async () => {
    const id = await dead();
    const first = `lock table onceboard.message_attempts in access exclusive mode; ${requeued(id)}`;
    await expect(meanwhile(env, first, () => propose(id))).rejects.toMatchObject({
      code: "correction.not_possible",
      message: "Nothing was sent. It is not dead any more.",
    });
    expect(await kept(id)).toMatchObject([{ messages: [{ state: "pending" }], plans: null, corrections: null }]);
  });

  it("is not sent for a message that is requeued while it is approved, and the plan still waits", async () => {
    const id = await dead();
    const plan = await propose(id);
    await expect(meanwhile(env, requeued(id), () => decide(plan, "approve"))).rejects.toMatchObject({
      code: "correction.not_possible",
      message: "Nothing was sent. It is not dead any more.",
    });
    expect(await kept(id)).toMatchObject([
      {
        messages: [{ id, state: "pending" }],
        plans: [{ state: "awaiting_approval" }],
        corrections: [{ new_message_id: null }],
      },
    ]);
  });
});

describe("CORRECT-1 a correction whose parts are gone", () => {
  it("is not proposed of a message whose payload nothing can open", async () => {
    const id = await dead();
    const broken = JSON.stringify({ "onceboard.sealed": "AgBAAAA=" });
    await env.rows("update onceboard.outbox_messages set payload = $2::jsonb where id = $1", id, broken);
    await expect(propose(id)).rejects.toMatchObject({
      code: "correction.not_possible",
      message: "Nothing was sent. Nothing can open its payload.",
    });
  });

  it("waits for a second person, and is not sent once retention destroyed its key", async () => {
    const id = await dead();
    const plan = await propose(id);
    expect((await read(plan))?.approvalNeeded).toBe(
      "A corrected message is sent only after a second person approves it.",
    );
    const old = uuidv7({ msecs: Date.now() - 3 * 86_400_000 });
    const body = await ines().keyring.seal(Buffer.from("{}"), correctionSubject(TENANT, old), "command");
    await env.rows("update onceboard.message_corrections set body = $2 where plan_id = $1", plan, body);
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    await env.rows("update onceboard.data_keys set wrapped = null, destroyed_at = now() where day = $1::date", day);
    env.base.keyring.forget(TENANT, day);
    const before = await kept(id);
    const gone = {
      code: "correction.body_purged",
      message: "It was deleted by retention or when its plan ended. Nothing was sent.",
    };
    await expect(decide(plan, "approve")).rejects.toMatchObject(gone);
    expect(await kept(id)).toEqual(before);
  });

  it("has no body once its plan ended without it, and is not planned again", async () => {
    const id = await dead();
    const plan = await propose(id);
    const whyNot = async () => (await read(plan))?.correction?.reveal.whyNot;
    expect(await whyNot()).toBeUndefined();
    await decide(plan, "reject");
    expect(await whyNot()).toBe("The corrected body was deleted when its plan ended.");
    expect(await kept(id)).toMatchObject([{ messages: [{ id, state: "dead" }], corrections: [{ body: null }] }]);
    await expect(revealCorrection(ines(), asked("bodies.reveal", "plan", plan), plan)).rejects.toMatchObject({
      message: "It was deleted by retention or when its plan ended. Nothing was sent.",
    });
    const wish = { kind: "requeue_dead_letters", scope: { by: "rerun", of: plan } } as const;
    await expect(createPlan(mira(), asked("plans.create", "plan", "new"), wish)).rejects.toMatchObject({
      code: "plan.state",
      message:
        "Nothing was changed. Its body was deleted when the plan ended: correct the message again on its own page.",
    });
    expect(typeof (await propose(id))).toBe("string");
  });

  it("says that its message is gone exactly then", async () => {
    const id = await dead();
    const plan = await propose(id);
    expect((await read(plan))?.correction?.whyNot).toBeUndefined();
    await env.rows("delete from onceboard.outbox_messages where id = $1", id);
    expect((await read(plan))?.correction?.whyNot).toBe("There is no such message any more.");
    await expect(decide(plan, "approve")).rejects.toMatchObject({
      code: "outbox.not_found",
      message: "Nothing was changed.",
    });
  });
});
