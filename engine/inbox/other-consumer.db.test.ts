import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callFunction } from "@/db/testing/call-function";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { consume } from "./consume";
import { createConsumerRegistry, type Consumer } from "./consumer";

/** A consumer of a service in another language: it takes its messages by SQL, and our worker leaves them to it. */

const CONSUMER = "billing.payments";
type Row = Record<string, unknown>;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(() => env.rows("truncate onceboard.inbox_messages, onceboard.inbox_open, onceboard.dead_letters"));

const call = (name: string, args: Readonly<Row>) => callFunction(env.owner.pool, name, { tenant: TENANT, ...args });
const claim = (more: Readonly<Row> = {}) =>
  call("claim_inbox", { owner: "billing-1", lease_ms: 30_000, consumers: [CONSUMER], ...more });
const states = () =>
  env.rows<Row>("select consumer, state, result, last_error_code from onceboard.inbox_messages order by consumer");
const ours: Consumer = {
  name: "ledger",
  path: "transaction",
  subscribes: () => true,
  handle: () => Promise.resolve("ok"),
};
const work = () => consume(env.context(), createConsumerRegistry([ours]));

async function receive(consumer: string): Promise<void> {
  const payload = JSON.stringify({ data: { paymentId: "p1" } });
  await call("receive", {
    id: randomUUID(),
    arrival_id: randomUUID(),
    consumer,
    source: "bank",
    message_id: "m1",
    type: "payment.settled",
    operation_id: null,
    payload,
    payload_hash: createHash("sha256").update(payload).digest(),
    headers: "{}",
    request_id: null,
  });
}
const end = ({ id, fence }: Row, results = ["booked"]) => call("finish_inbox", { ids: [id], fences: [fence], results });

describe("SQL-5 the messages of a consumer elsewhere", () => {
  it("are left to it by our worker, which handles its own", async () => {
    await receive(CONSUMER);
    await receive("ledger");
    expect(await work()).toMatchObject({ claimed: 1, processed: 1, failed: 0 });
    expect(await states()).toEqual([
      { consumer: CONSUMER, state: "recorded", result: null, last_error_code: null },
      { consumer: "ledger", state: "processed", result: "ok", last_error_code: null },
    ]);
  });

  it("go to one of its instances each, and are processed in its own transaction", async () => {
    await receive(CONSUMER);
    await receive("ledger");
    const taken = (await Promise.all([claim({ limit: 5 }), claim({ limit: 5, owner: "billing-2" })])).flat();
    expect(taken).toMatchObject([{ consumer: CONSUMER, fence: 1, payload: { data: { paymentId: "p1" } } }]);
    expect(await end(taken[0] ?? {})).toHaveLength(1);
    expect(await states()).toMatchObject([{ state: "processed", result: "booked" }, { state: "recorded" }]);
  });

  it("are fenced when their lease was over and somebody else took them", async () => {
    await receive(CONSUMER);
    const [first = {}] = await claim();
    await env.rows("update onceboard.inbox_open set locked_until = clock_timestamp() - interval '1 second'");
    // A lease that ran out puts the message apart; from then on it is handled alone.
    expect(await claim()).toEqual([]);
    const [second = {}] = await claim({ alone: true, owner: "billing-2" });
    expect(second["fence"]).toBe(2);
    expect(await end(first)).toEqual([]);
    expect(await end(second)).toHaveLength(1);
  });

  it("fail with the service's words, wait, and are dead after its attempts", async () => {
    await receive(CONSUMER);
    const [first = {}] = await claim();
    const failed = { error_code: "billing.closed", error: "The books are closed.", delay_ms: 0, max_attempts: 2 };
    expect(await call("fail_inbox", { id: first["id"], fence: first["fence"], ...failed })).toEqual([
      { fail_inbox: "recorded" },
    ]);
    expect(await work()).toMatchObject({ claimed: 0 });
    const [again = {}] = await claim({ alone: true });
    expect(await call("fail_inbox", { id: again["id"], fence: again["fence"], ...failed })).toEqual([
      { fail_inbox: "dead" },
    ]);
    expect(await env.rows("select place, error_code, attempts from onceboard.dead_letters")).toEqual([
      { place: CONSUMER, error_code: "billing.closed", attempts: 2 },
    ]);
  });

  it("are given back without an attempt", async () => {
    await receive(CONSUMER);
    const [taken = {}] = await claim();
    expect(await call("postpone_inbox", { ids: [taken["id"]], fences: [taken["fence"]], delay_ms: 0 })).toEqual([
      { postpone_inbox: 1 },
    ]);
    expect(await claim({ alone: true })).toMatchObject([{ attempts_started: 1, attempts_finished: 0 }]);
  });
});
