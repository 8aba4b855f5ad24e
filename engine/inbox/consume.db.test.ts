import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { claimInbox } from "@/db/messages/claim-messages";
import { AppError } from "@/domain/errors";
import { consume } from "./consume";
import { SIDES } from "@/domain/messages/side";
import { createConsumerRegistry, PostponeError, type Consumer, type InboxMessage } from "./consumer";
import { receive, receiveAll } from "./receive";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows("create table effects (message_id text not null); grant all on effects to onceboard_app");
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.rows(
    "truncate onceboard.inbox_messages, onceboard.inbox_open, onceboard.inbox_arrivals, onceboard.dead_letters, effects",
  );
});

/** A consumer whose effect is one row per handling; `fail` may throw before or after it. */
function effecting(fail: (message: InboxMessage) => void = () => undefined): Consumer {
  return {
    name: "ledger",
    path: "transaction",
    subscribes: (source) => source === "onceboard",
    async handle(_ctx, tx, message) {
      await tx.query({ text: "insert into effects values ($1)", values: [message.messageId] });
      fail(message);
      return "ok";
    },
  };
}
const arrive = (
  registry: ReturnType<typeof createConsumerRegistry>,
  messageId: string,
  text = '{"data":{}}',
  source = "onceboard",
) =>
  receive(env.context(), registry, {
    source,
    messageId,
    type: "payment.succeeded",
    payload: JSON.parse(text),
    payloadBytes: Buffer.from(text),
    headers: {},
  });
const inbox = () =>
  env.rows<{
    state: string;
    result: string | null;
    attempts_started: number;
    duplicates: number;
    mismatches: number;
    last_error_code: string | null;
  }>(
    `select m.state, m.result, coalesce(o.attempts_started, m.attempts_started) as attempts_started, m.duplicates, m.mismatches, m.last_error_code
     from onceboard.inbox_messages m left join onceboard.inbox_open o on o.id = m.id order by m.received_at`,
  );
const effects = async () => (await env.rows("select 1 from effects")).length;
const due = () =>
  env.rows(
    "update onceboard.inbox_open set next_attempt_at = '-infinity', locked_until = case when owner is not null then '-infinity'::timestamptz end",
  );

describe("receive", () => {
  it("INBOX-1 records once per consumer; a duplicate is told and counted, another payload is flagged", async () => {
    const second: Consumer = { ...effecting(), name: "receipts" };
    const registry = createConsumerRegistry([effecting(), second]);
    const first = await arrive(registry, "m1");
    expect(first.outcome).toBe("recorded");
    expect(first.inboxIds).toHaveLength(2);
    expect(await arrive(registry, "m1")).toEqual({ outcome: "duplicate", inboxIds: first.inboxIds });
    expect((await arrive(registry, "m1", '{"data":{"other":1}}')).outcome).toBe("mismatch");
    expect(await inbox()).toMatchObject([
      { duplicates: 1, mismatches: 1 },
      { duplicates: 1, mismatches: 1 },
    ]);
    expect(await env.rows("select 1 from onceboard.inbox_arrivals")).toHaveLength(6);
  });

  it("fifty arrivals at once are one message", async () => {
    const registry = createConsumerRegistry([effecting()]);
    const all = await Promise.all(Array.from({ length: 50 }, () => arrive(registry, "m1")));
    expect(all.filter(({ outcome }) => outcome === "recorded")).toHaveLength(1);
    expect(await inbox()).toMatchObject([{ duplicates: 49 }]);
  });

  const request = (messageId: string, text = "{}") => ({
    source: "onceboard",
    messageId,
    type: "t",
    payload: JSON.parse(text) as unknown,
    payloadBytes: Buffer.from(text),
    headers: {},
  });

  it("arrivals that come together are answered in their order, also those that were there or come twice in it", async () => {
    const registry = createConsumerRegistry([effecting(), { ...effecting(), name: "receipts" }]);
    const [before] = await receiveAll(env.context(), registry, [request("b")]);
    const arrivals = [request("c"), request("b"), request("a"), request("c"), request("a", '{"other":1}')];
    const results = await receiveAll(env.context(), registry, arrivals);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      "recorded",
      "duplicate",
      "recorded",
      "duplicate",
      "mismatch",
    ]);
    expect(results[1]?.inboxIds).toEqual(before?.inboxIds);
    expect(results[3]?.inboxIds).toEqual(results[0]?.inboxIds);
    expect(
      await env.rows(
        "select m.message_id, count(*)::int as rows, sum(m.duplicates)::int as again, sum(m.mismatches)::int as other from onceboard.inbox_messages m join onceboard.inbox_open o on o.id = m.id group by 1 order by 1",
      ),
    ).toEqual([
      { message_id: "a", rows: 2, again: 0, other: 2 },
      { message_id: "b", rows: 2, again: 2, other: 0 },
      { message_id: "c", rows: 2, again: 2, other: 0 },
    ]);
    expect(await env.rows("select 1 from onceboard.inbox_arrivals")).toHaveLength(12);
  });

  it("the same arrivals in two orders at once are recorded once, and nobody waits in a circle", async () => {
    const registry = createConsumerRegistry([effecting()]);
    const some = Array.from({ length: 200 }, (_, index) => request(`m${String(index)}`));
    const orders = [some, some.toReversed(), some, some.toReversed()];
    const results = await Promise.all(orders.map((order) => receiveAll(env.context(), registry, order)));
    const recorded = results.flat().filter(({ outcome }) => outcome === "recorded");
    expect(new Set(recorded.flatMap(({ inboxIds }) => inboxIds)).size).toBe(200);
    expect(recorded).toHaveLength(200);
  });

  it("names the operation that an event tells of", async () => {
    const operationId = uuidv7();
    await arrive(createConsumerRegistry([]), "m1", JSON.stringify({ data: { operationId } }));
    expect(await env.rows("select operation_id, consumer from onceboard.inbox_messages")).toEqual([
      { operation_id: operationId, consumer: "default" },
    ]);
  });
});

describe("consume", () => {
  it("INBOX-2 handles each message once, whatever arrives how often, with two processes at it", async () => {
    const registry = createConsumerRegistry([effecting()]);
    for (let count = 0; count < 12; count += 1) await arrive(registry, `m${String(count % 6)}`);
    await Promise.all(["a", "b"].map((instance) => consume(env.context({ instance }), registry)));
    expect(await effects()).toBe(6);
    expect((await inbox()).every((row) => row.state === "processed" && row.result === "ok")).toBe(true);
  });

  it("what nobody subscribed to is kept and ignored", async () => {
    const registry = createConsumerRegistry([effecting()]);
    await arrive(registry, "m1", "{}", "somewhere");
    expect(await consume(env.context(), registry)).toMatchObject({ processed: 1 });
    expect(await inbox()).toMatchObject([{ state: "processed", result: "ignored" }]);
  });

  it("INBOX-6 a failure undoes the effect, waits, and is dead after its attempts, with one dead letter", async () => {
    const registry = createConsumerRegistry([
      effecting(() => {
        throw new AppError("ledger.closed", 500, "The ledger is closed");
      }),
    ]);
    await arrive(registry, "m1");
    for (let attempt = 1; attempt < SIDES.inbox.maxAttempts; attempt += 1) {
      expect(await consume(env.context(), registry)).toMatchObject({ failed: 1, dead: 0 });
      expect(await consume(env.context(), registry)).toMatchObject({ claimed: 0 });
      await due();
    }
    expect(await consume(env.context(), registry)).toMatchObject({ dead: 1 });
    expect(await effects()).toBe(0);
    expect(await env.rows("select side, place, error_code from onceboard.dead_letters")).toEqual([
      { side: "inbox", place: "ledger", error_code: "ledger.closed" },
    ]);
  });

  it("a message that ends its process is declared dead without being handled once more", async () => {
    let handled = 0;
    const registry = createConsumerRegistry([effecting(() => void (handled += 1))]);
    await arrive(registry, "m1");
    const look = { tenantId: TENANT, owner: "looking", leaseMs: 1, limit: 1, alone: false };
    for (let crash = 0; crash < SIDES.inbox.maxAttempts; crash += 1) {
      // Whoever looks for what was never tried puts it apart.
      if (crash === 1) expect(await claimInbox(env.db.pool, look)).toEqual([]);
      // Claimed, and the process is gone before it finished.
      expect(
        await claimInbox(env.db.pool, {
          tenantId: TENANT,
          owner: "crashing",
          leaseMs: 1,
          limit: 1,
          alone: crash > 0,
        }),
      ).toHaveLength(1);
      await due();
    }
    expect(await consume(env.context(), registry)).toMatchObject({ dead: 1, processed: 0 });
    expect(handled).toBe(0);
    expect(await env.rows("select error_code from onceboard.dead_letters")).toEqual([
      { error_code: "inbox.poisonous" },
    ]);
  });

  it("an owner that lost its lease leaves no effect behind", async () => {
    let late = (): void => undefined;
    const slow: Consumer = {
      name: "ledger",
      path: "transaction",
      subscribes: () => true,
      async handle(_ctx, tx, message) {
        await tx.query({ text: "insert into effects values ($1)", values: [message.messageId] });
        await new Promise<void>((resolve) => (late = resolve));
        return "ok";
      },
    };
    await arrive(createConsumerRegistry([slow]), "m1");
    await env.rows("update onceboard.inbox_open set alone = true");
    const first = consume(env.context({ instance: "slow" }), createConsumerRegistry([slow]), { limit: 1 });
    await expect
      .poll(() =>
        env.rows("select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'"),
      )
      .toHaveLength(1);
    await due();
    expect(
      await consume(env.context({ instance: "next" }), createConsumerRegistry([effecting()]), { limit: 1 }),
    ).toMatchObject({ processed: 1 });
    late();
    expect(await first).toMatchObject({ fenced: 1, processed: 0 });
    expect(await effects()).toBe(1);
  });

  it("waiting for somebody is no attempt", async () => {
    const waiting: Consumer = {
      name: "provider-webhook",
      path: "idempotent",
      subscribes: () => true,
      handle: () => Promise.reject(new PostponeError("its owner is at work", 2_000)),
    };
    const registry = createConsumerRegistry([waiting]);
    await arrive(registry, "m1");
    for (let count = 0; count < SIDES.inbox.maxAttempts + 2; count += 1) {
      expect(await consume(env.context(), registry)).toMatchObject({ postponed: 1, failed: 0 });
      await due();
    }
    expect(await inbox()).toMatchObject([{ state: "recorded", attempts_started: 0 }]);
  });
});
