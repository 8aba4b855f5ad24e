import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordStatements } from "@/db/testing/record-statements";
import type { ActionOutcome, ActionRequest } from "./action-answer";
import type { Actor, EngineContext } from "./context";
import { operatorAction, operatorTask } from "./operator-action";
import { openEngineHouse, operator, type EngineHouse } from "./testing/engine-house";

let house: EngineHouse;
let written: ReturnType<typeof recordStatements>;
beforeAll(async () => {
  house = await openEngineHouse();
  written = recordStatements(house.db);
});
afterAll(() => house.close());

const OUTCOME: ActionOutcome = { changed: true, affected: 1, skipped: [], before: {}, after: {} };
const WAYS = {
  action: (ctx: EngineContext, request: ActionRequest) => operatorAction(ctx, request, () => Promise.resolve(OUTCOME)),
  task: (ctx: EngineContext, request: ActionRequest) => operatorTask(ctx, request, () => Promise.resolve(OUTCOME)),
};
const request = (): ActionRequest => ({
  action: "outbox.requeue",
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type: "outbox", id: uuidv7() },
  reason: "the consumer is back",
  receivedAt: performance.now(),
});
const claims = () => written().filter(({ text }) => /onceboard\.claim\(/.test(text)).length;

/** Counts how often somebody asks for the role of this actor. */
function counted(): { readonly actor: Actor; readonly asked: () => number } {
  let asked = 0;
  const actor = operator("admin");
  const watched = new Proxy(actor, {
    get: (target, name) => {
      if (name === "role") asked += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  return { actor: watched, asked: () => asked };
}

describe.each(["action", "task"] as const)("one click of an %s", (way) => {
  it("claims once, and so does the second click of it", async () => {
    const click = request();
    const ctx = house.context({ actor: operator() });
    written();
    const first = await WAYS[way](ctx, click);
    expect(claims()).toBe(1);
    const second = await WAYS[way](ctx, click);
    expect(claims()).toBe(1);
    expect(first.replayed).toBe(false);
    expect(second).toEqual({ ...first, replayed: true });
    expect(JSON.parse(second.body.toString())).toEqual(first.answer);
  });

  it("two clicks at once claim once each and act once", async () => {
    const click = request();
    written();
    const clicks = await Promise.allSettled([1, 2].map(() => WAYS[way](house.context({ actor: operator() }), click)));
    expect(claims()).toBe(2);
    const done = clicks.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(done.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("asks once whether the person may", async () => {
    const { actor, asked } = counted();
    await WAYS[way](house.context({ actor }), request());
    expect(asked()).toBe(1);
  });
});
