import { afterAll, beforeAll, expect, it } from "vitest";
import { consumeAlone, HANDLER_TIMEOUT_MS } from "./consume";
import { createConsumerRegistry } from "./consumer";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows("create table effects (message_id text not null); grant all on effects to onceboard_app");
});
afterAll(() => env.close());

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
