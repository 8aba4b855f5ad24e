import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Queryable } from "@/db/client";
import { recordStatements, type Statement } from "@/db/testing/record-statements";
import { createEngineTestEnvironment, type EngineTestEnvironment } from "../testing/environment";
import { CONSUME_BATCH, consumeTogether } from "./consume";
import { createConsumerRegistry, type ConsumerRegistry } from "./consumer";
import { createHandlerPace, type HandlerPace } from "./handler-pace";
import { receive } from "./receive";

const IDS = ["a", "b", "c", "d", "e"];

let env: EngineTestEnvironment;
let taken: () => Statement[];
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows("create table effects (message_id text not null)");
  await env.rows("grant all on effects to onceboard_app");
  taken = recordStatements(env.db);
});
afterAll(() => env.close());
beforeEach(() =>
  env.rows(
    "truncate onceboard.inbox_messages, onceboard.inbox_open, onceboard.inbox_arrivals, onceboard.dead_letters, effects",
  ),
);

/** A busy machine makes none of these slow. */
const UNHURRIED: HandlerPace = { ...createHandlerPace(), limitMs: () => 20_000 };

type Work = (tx: Queryable) => Promise<unknown>;

/** Messages of {@link IDS}, of which some are handled in a way of their own. */
function consuming(special: Readonly<Record<string, Work>> = {}) {
  const runs: string[] = [];
  const registry = createConsumerRegistry([
    {
      ...{ name: "ledger", subscribes: () => true, path: "transaction" as const },
      async handle(_ctx, tx, { messageId }) {
        runs.push(messageId);
        const work = special[messageId];
        if (work === undefined) await tx.query({ text: "insert into effects values ($1)", values: [messageId] });
        else await work(tx);
        return "ok";
      },
    },
  ]);
  return { registry, runs };
}

interface Consuming {
  readonly signal?: AbortSignal;
  /** Another one than they arrive for. */
  readonly by?: ConsumerRegistry;
}

async function arriveAndConsume(registry: ConsumerRegistry, { signal, by = registry }: Consuming = {}) {
  for (const messageId of IDS) {
    const message = {
      source: "onceboard",
      messageId,
      type: "t",
      payload: {},
      payloadBytes: Buffer.from("{}"),
      headers: {},
    };
    await receive(env.context(), registry, message);
  }
  taken();
  const ended = await consumeTogether(env.context(), by, { limit: CONSUME_BATCH, pace: UNHURRIED, signal });
  const savepoints = taken().filter(({ text }) => text.includes("savepoint")).length;
  const effects = await env.rows<{ message_id: string }>("select message_id from effects order by 1");
  return { ended, savepoints, effects: effects.map((row) => row.message_id) };
}

describe("INBOX-5 savepoints of messages that are handled together", () => {
  it("are one for all of them while none fails", async () => {
    const { registry, runs } = consuming();
    const { ended, savepoints, effects } = await arriveAndConsume(registry);
    expect(ended).toMatchObject({ processed: IDS.length });
    expect([savepoints, effects, runs]).toEqual([1, IDS, IDS]);
  });

  it.each<[string, Work]>([
    ["breaks a statement", (tx) => tx.query({ text: "select 1 / 0" })],
    ["breaks a statement and says nothing", (tx) => tx.query({ text: "select 1 / 0" }).catch(() => undefined)],
    [
      "writes and throws",
      async (tx) => {
        await tx.query({ text: "insert into effects values ('c')" });
        throw new Error("no");
      },
    ],
  ])("come back to one each where a handler %s: those before it run once more, it does not", async (_, work) => {
    const { registry, runs } = consuming({ c: work });
    const { ended, effects } = await arriveAndConsume(registry);
    expect(ended).toMatchObject({ processed: IDS.length - 1, failed: 1 });
    expect(effects).toEqual(["a", "b", "d", "e"]);
    expect(runs).toEqual(["a", "b", "c", "a", "b", "d", "e"]);
  });

  it("stay one where a handler throws before it wrote or read: it took nothing with it", async () => {
    const { registry, runs } = consuming({ c: () => Promise.reject(new Error("no")) });
    const { ended, savepoints, effects } = await arriveAndConsume(registry);
    expect(ended).toMatchObject({ processed: IDS.length - 1, failed: 1 });
    expect([savepoints, effects, runs]).toEqual([1, ["a", "b", "d", "e"], IDS]);
  });

  it("begins none once the worker stops, and gives back what it has claimed", async () => {
    const { registry, runs } = consuming();
    const stop = new AbortController();
    const stopping: ConsumerRegistry = {
      ...registry,
      byName(name) {
        // It is claimed, and not begun.
        stop.abort();
        return registry.byName(name);
      },
    };
    const { ended, effects } = await arriveAndConsume(registry, { signal: stop.signal, by: stopping });
    expect(ended).toMatchObject({ claimed: IDS.length, processed: 0, failed: 0, released: IDS.length });
    expect([effects, runs]).toEqual([[], []]);
    const again = await consumeTogether(env.context(), registry, { limit: CONSUME_BATCH, pace: UNHURRIED });
    expect(again).toMatchObject({ processed: IDS.length });
  });

  it("of two that fail each takes back its own alone", async () => {
    const fail: Work = (tx) => tx.query({ text: "select 1 / 0" });
    const { registry, runs } = consuming({ b: fail, d: fail });
    const { ended, effects } = await arriveAndConsume(registry);
    expect(ended).toMatchObject({ processed: 3, failed: 2 });
    expect(effects).toEqual(["a", "c", "e"]);
    expect(runs).toEqual(["a", "b", "a", "c", "d", "e"]);
  });
});
