import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { consume, consumeAlone, HANDLER_TIMEOUT_MS } from "./consume";
import { createConsumerRegistry } from "./consumer";
import { receive } from "./receive";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows("create table effects (message_id text not null); grant all on effects to onceboard_app");
});
afterAll(() => env.close());
beforeEach(() => env.rows("truncate onceboard.inbox_messages, onceboard.inbox_open, effects"));

it(
  "INBOX-5 a handler that goes on after its time writes nothing any more, also when it was handled alone",
  async () => {
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let late: Promise<unknown> = Promise.resolve();
    const consumers = createConsumerRegistry([
      {
        name: "ledger",
        path: "transaction",
        subscribes: () => true,
        async handle(_ctx, tx, { messageId }) {
          await tx.query({ text: "select 1" });
          late = gate.then(() => tx.query({ text: "insert into effects values ($1)", values: [messageId] }));
          await late;
          return "ok";
        },
      },
    ]);
    await env.rows(
      `select onceboard.receive($1, gen_random_uuid(), gen_random_uuid(), 'ledger', 'onceboard', 'm1', 't', null, '{}', 'h'::bytea, '{}', 'r', true)`,
      TENANT,
    );
    expect(await consumeAlone(env.context(), consumers)).toMatchObject({ failed: 1 });
    letGo();
    await expect(late).rejects.toThrow("the handler's time is over");
    expect(await env.rows("select * from effects")).toEqual([]);
  },
  HANDLER_TIMEOUT_MS * 2,
);

const loseLease = (consumer: string) =>
  env.rows(
    "update onceboard.inbox_open set fence = fence + 1, owner = 'other', locked_until = 'infinity' where consumer = $1",
    consumer,
  );
const arrival = { source: "s", messageId: "m2", type: "t", payload: {}, headers: {}, payloadBytes: Buffer.from("{}") };

it("INBOX-2 what a consumer wrote goes with its mark; one that calls another system calls again where the mark was lost", async () => {
  const calls: string[] = [];
  let lost = false;
  const consumers = createConsumerRegistry([
    {
      name: "writes",
      path: "transaction",
      subscribes: () => true,
      async handle(_ctx, tx, { messageId }) {
        await tx.query({ text: "insert into effects values ($1)", values: [messageId] });
        if (!lost) await loseLease("writes");
        return "ok";
      },
    },
    {
      name: "calls",
      path: "idempotent",
      subscribes: () => true,
      async handle() {
        calls.push("calls");
        if (!lost) await loseLease("calls");
        return "ok";
      },
    },
  ]);
  await receive(env.context(), consumers, arrival);
  await consume(env.context(), consumers);
  expect(await env.rows("select * from effects"), "its mark was lost, and its effect with it").toEqual([]);
  expect(calls).toEqual(["calls"]);
  lost = true;
  await env.rows("update onceboard.inbox_open set locked_until = '-infinity', next_attempt_at = '-infinity'");
  await consume(env.context(), consumers);
  expect(await env.rows("select * from effects")).toEqual([{ message_id: "m2" }]);
  expect(calls).toEqual(["calls", "calls"]);
});

it("INBOX-1 each consumer has a row of its own: one that fails keeps the others from nothing", async () => {
  const consumers = createConsumerRegistry([
    { name: "fails", path: "transaction", subscribes: () => true, handle: () => Promise.reject(new Error("no")) },
    { name: "works", path: "transaction", subscribes: () => true, handle: () => Promise.resolve("ok") },
  ]);
  await receive(env.context(), consumers, arrival);
  await consume(env.context(), consumers);
  expect(await env.rows("select consumer, state from onceboard.inbox_messages order by consumer")).toEqual([
    { consumer: "fails", state: "recorded" },
    { consumer: "works", state: "processed" },
  ]);
});
