import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordStatements } from "@/db/testing/record-statements";
import type { Actor, EngineContext } from "../context";
import { createEngineTestEnvironment, operator, type EngineTestEnvironment } from "../testing/environment";
import type { ActionOutcome, ActionRequest } from "./action-answer";
import { operatorAction, operatorTask } from "./operator-action";

let env: EngineTestEnvironment;
let taken: ReturnType<typeof recordStatements>;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  taken = recordStatements(env.db);
});
afterAll(() => env.close());

const OUTCOME: ActionOutcome = { changed: true, affected: 1, skipped: [], before: {}, after: {} };
const RUNNERS = {
  action: (ctx: EngineContext, request: ActionRequest) => operatorAction(ctx, request, () => Promise.resolve(OUTCOME)),
  task: (ctx: EngineContext, request: ActionRequest) => operatorTask(ctx, request, () => Promise.resolve(OUTCOME)),
};
/** From the claim to the answer, in order. */
const STATEMENTS = {
  action: ["begin", "claim", "append_audit", "complete", "commit"],
  task: ["claim", "begin", "append_audit", "complete", "commit"],
};
const actionRequest = (): ActionRequest => ({
  action: "outbox.requeue",
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type: "outbox", id: uuidv7() },
  reason: "the consumer is back",
  receivedAt: performance.now(),
});

/** Functions of ours by name, other statements by their first word. */
const statements = () =>
  taken().map(({ text }) => /onceboard\.([a-z_]+)\(/.exec(text)?.[1] ?? text.split(" ")[0] ?? text);
/** Requests that were claimed, also where several went in one statement. */
const claims = () =>
  taken()
    .filter(({ text }) => text.includes("onceboard.claim("))
    .reduce((sum, { values: [, keys] }) => sum + (Array.isArray(keys) ? keys.length : 1), 0);

/** Counts how often the role of this actor is read. */
function observedActor(): { readonly actor: Actor; readonly reads: () => number } {
  let reads = 0;
  const actor = new Proxy(operator("admin"), {
    get: (target, name) => {
      if (name === "role") reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  return { actor, reads: () => reads };
}

describe.each(["action", "task"] as const)("an operator %s", (kind) => {
  it("is five statements", async () => {
    const ctx = env.context({ actor: operator() });
    await RUNNERS[kind](ctx, actionRequest());
    // Events of replays are written in batches, off the request's path.
    await ctx.answers.flush();
    statements();
    await RUNNERS[kind](ctx, actionRequest());
    expect(statements()).toEqual(STATEMENTS[kind]);
  });

  it("claims once, and once more when the same request comes again", async () => {
    const request = actionRequest();
    const ctx = env.context({ actor: operator() });
    statements();
    const first = await RUNNERS[kind](ctx, request);
    expect(claims()).toBe(1);
    const second = await RUNNERS[kind](ctx, request);
    expect(claims()).toBe(1);
    expect(first.replayed).toBe(false);
    expect(second).toEqual({ ...first, replayed: true });
  });

  it("claims once for each of two requests at the same time, and runs once", async () => {
    const request = actionRequest();
    statements();
    const answers = await Promise.allSettled(
      [1, 2].map(() => RUNNERS[kind](env.context({ actor: operator() }), request)),
    );
    expect(claims()).toBe(2);
    const results = answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("checks the permission once", async () => {
    const { actor, reads } = observedActor();
    await RUNNERS[kind](env.context({ actor }), actionRequest());
    expect(reads()).toBe(1);
  });
});
