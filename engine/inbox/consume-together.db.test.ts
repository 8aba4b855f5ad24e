import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Queryable } from "@/db/client";
import { finishInbox } from "@/db/messages/end-attempt";
import { receiveMessages } from "@/db/inbox/receive-message";
import { AppError } from "@/domain/errors";
import { WORKER_SLOTS } from "./worker-slots";
import { CONSUME_BATCH, consumeAlone, consumeTogether, type ConsumeOptions } from "./consume";
import { createHandlerPace, type HandlerPace } from "./handler-pace";
import { createConsumerRegistry, type Consumer, type ConsumerRegistry, type InboxMessage } from "./consumer";
import { receive } from "./receive";
import { createEngineTestEnvironment, type EngineTestEnvironment } from "../testing/environment";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows("create table effects (message_id text not null, note text)");
  await env.rows("grant all on effects to onceboard_app");
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.rows(
    "truncate onceboard.inbox_messages, onceboard.inbox_open, onceboard.inbox_arrivals, onceboard.dead_letters, onceboard.message_attempts, effects",
  );
});

/** For tests that are not about slow handlers: a busy machine makes none of theirs slow. */
const UNHURRIED: HandlerPace = { ...createHandlerPace(), limitMs: () => 20_000 };
type Work = (tx: Queryable, message: InboxMessage) => Promise<unknown>;
const effect = (tx: Queryable, message: InboxMessage) =>
  tx.query({ text: "insert into effects values ($1)", values: [message.messageId] });
/** A consumer that writes one effect per message; `special` names those of which something else is done. */
function consumerOf(special: Readonly<Record<string, Work>> = {}, path: "transaction" | "idempotent" = "transaction") {
  const shared = { name: "ledger", subscribes: () => true };
  const consumer: Consumer =
    path === "idempotent"
      ? { ...shared, path, handle: () => Promise.resolve("asked") }
      : {
          ...shared,
          path,
          async handle(_ctx, tx, message) {
            await (special[message.messageId] ?? effect)(tx, message);
            return "ok";
          },
        };
  return createConsumerRegistry([consumer]);
}
async function arrive(registry: ConsumerRegistry, ...ids: readonly string[]): Promise<void> {
  for (const messageId of ids) {
    await receive(env.context(), registry, {
      source: "onceboard",
      messageId,
      type: "t",
      payload: {},
      payloadBytes: Buffer.from("{}"),
      headers: {},
    });
  }
}
/** A tick whose messages are one batch: of more slots each may have some of them. */
const inOneBatch = (registry: ConsumerRegistry, options: ConsumeOptions = {}) =>
  consumeTogether(env.context(), registry, { limit: CONSUME_BATCH, ...options });
const effects = async () =>
  (await env.rows<{ message_id: string }>("select message_id from effects order by 1")).map((row) => row.message_id);
const states = async () =>
  Object.fromEntries(
    (
      await env.rows<{ message_id: string; now: string }>(
        `select m.message_id, m.state || ' ' || coalesce(o.attempts_started, m.attempts_started) || '/' || coalesce(o.attempts_finished, m.attempts_finished)
           || case when o.alone then ' alone' else '' end as now from onceboard.inbox_messages m left join onceboard.inbox_open o on o.id = m.id`,
      )
    ).map((row) => [row.message_id, row.now]),
  );
describe("INBOX-5 messages that are handled together", () => {
  it("share one transaction: effects and marks are committed at once", async () => {
    const registry = consumerOf();
    await arrive(registry, "a", "b", "c");
    let seen: unknown[] = [];
    const peeking = consumerOf({
      c: async (tx, message) => {
        seen = await env.rows("select 1 from effects");
        await effect(tx, message);
      },
    });
    expect(await inOneBatch(peeking, { pace: UNHURRIED })).toMatchObject({
      claimed: 3,
      processed: 3,
    });
    expect(seen, "another connection sees none of it before the commit").toEqual([]);
    expect(await effects()).toEqual(["a", "b", "c"]);
    expect(await states()).toEqual({ a: "processed 1/1", b: "processed 1/1", c: "processed 1/1" });
  });

  it("and the same messages coming again meanwhile wait for each other, never in a circle", async () => {
    const registry = consumerOf();
    await arrive(registry, "c", "only-handled", "b", "a");
    const rows = await env.rows<{ id: string; fence: number; message_id: string }>(
      "select c.id, c.fence, c.message_id from onceboard.claim_inbox('acme', 'test-1', 30000, 10, false) c",
    );
    const handled = ["c", "only-handled", "a"].flatMap((name) =>
      rows.filter((row) => row.message_id === name).map(({ id, fence }) => ({ id, fence, result: "ok" })),
    );
    const again = ["a", "b", "c"].map((messageId) => ({
      ...{ tenantId: "acme", id: uuidv7(), arrivalId: uuidv7(), consumer: "ledger", source: "onceboard", messageId },
      ...{ type: "t", operationId: undefined, payload: {}, headers: {}, requestId: "r", alone: false },
      payloadHash: createHash("sha256").update("{}").digest(),
    }));
    // Each stands in its middle, with one row of the other behind it and one before it.
    const holder = await env.owner.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from onceboard.inbox_messages where message_id in ('only-handled', 'b') for update");
    const waiting = async () =>
      (
        await env.rows<{ count: number }>(
          "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      )[0]?.count;
    const received = receiveMessages(env.db.pool, again);
    await expect.poll(waiting).toBe(1);
    const finished = finishInbox(env.db.pool, "acme", handled);
    await expect.poll(waiting).toBe(2);
    await holder.query("commit");
    holder.release();
    const [ended, told] = await Promise.allSettled([finished, received]);
    expect(ended).toMatchObject({ status: "fulfilled", value: { length: 3 } });
    expect(told).toMatchObject({ status: "fulfilled", value: again.map(() => ({ outcome: "duplicate" })) });
  });

  it("one that throws takes its own work back and nobody else's, and is handled alone from then on", async () => {
    const registry = consumerOf({
      b: async (tx, message) => {
        await effect(tx, message);
        throw new AppError("ledger.closed", 500, "The ledger is closed");
      },
    });
    await arrive(registry, "a", "b", "c");
    expect(await inOneBatch(registry, { pace: UNHURRIED })).toMatchObject({
      processed: 2,
      failed: 1,
    });
    expect(await effects()).toEqual(["a", "c"]);
    expect(await states()).toEqual({ a: "processed 1/1", b: "recorded 1/1 alone", c: "processed 1/1" });
    expect(await env.rows("select outcome, error_code, owner from onceboard.message_attempts")).toEqual([
      { outcome: "failed", error_code: "ledger.closed", owner: "test-1" },
    ]);
    expect(await inOneBatch(registry)).toMatchObject({ claimed: 0 });
  });

  it.each([
    ["a statement that fails", (tx: Queryable) => tx.query({ text: "select 1/0" })],
    [
      "a failed statement that its handler swallows",
      (tx: Queryable) => tx.query({ text: "select 1/0" }).catch(() => 0),
    ],
  ] as const)("%s undoes nothing of the others", async (_name, work) => {
    const registry = consumerOf({
      b: async (tx, message) => {
        await effect(tx, message);
        await work(tx);
      },
    });
    await arrive(registry, "a", "b", "c");
    expect(await inOneBatch(registry, { pace: UNHURRIED })).toMatchObject({
      processed: 2,
      failed: 1,
    });
    expect(await effects()).toEqual(["a", "c"]);
  });

  it.each([
    ["in the database", (tx: Queryable) => tx.query({ text: "select pg_sleep(20)" })],
    ["anywhere else", () => new Promise(() => undefined)],
  ] as const)(
    "one that hangs %s holds up nobody: it is handled alone, and that counts no attempt",
    async (_name, hang) => {
      const registry = consumerOf({
        b: async (tx, message) => {
          await effect(tx, message);
          await hang(tx);
        },
      });
      await arrive(registry, "a", "b", "c");
      expect(await inOneBatch(registry)).toMatchObject({ processed: 2, slow: 1, failed: 0 });
      expect(await effects()).toEqual(["a", "c"]);
      expect((await states())["b"]).toBe("recorded 0/0 alone");
      expect(await consumeAlone(env.context(), consumerOf())).toMatchObject({ processed: 1 });
      expect(await effects()).toEqual(["a", "b", "c"]);
    },
  );

  it("a handler that goes on after its time reaches the transaction no more", async () => {
    let late: Promise<unknown> | undefined;
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    let over = false;
    // Neither the order of a batch is promised nor that there is one: whoever comes when the time of b is over lets it go on.
    const after: Work = async (tx, message) => {
      if (over) {
        go();
        await expect(late).rejects.toThrow("time is over");
      }
      await effect(tx, message);
    };
    const registry = consumerOf({
      a: after,
      b: (tx, message) => (late = gate.then(() => effect(tx, message))),
      c: after,
    });
    await arrive(registry, "a", "b", "c");
    const pace: HandlerPace = {
      ...UNHURRIED,
      limitMs: (kind) => ("message_id" in kind && kind.message_id === "b" ? 50 : UNHURRIED.limitMs(kind)),
      noteSlow: () => (over = true),
    };
    expect(await inOneBatch(registry, { pace })).toMatchObject({ processed: 2, slow: 1 });
    go();
    await expect(late).rejects.toThrow("time is over");
    expect(await effects()).toEqual(["a", "c"]);
  });

  it("a lease that was lost meanwhile undoes the whole batch, and each is handled by its owner then", async () => {
    const registry = consumerOf({
      c: async (tx, message) => {
        await effect(tx, message);
        await env.rows(
          "update onceboard.inbox_open set fence = fence + 1, owner = 'other' where id = (select id from onceboard.inbox_messages where message_id = 'a')",
        );
      },
    });
    await arrive(registry, "a", "b", "c");
    expect(await inOneBatch(registry, { pace: UNHURRIED })).toMatchObject({ processed: 0 });
    expect(await effects()).toEqual([]);
    await env.rows("update onceboard.inbox_open set locked_until = '-infinity' where owner is not null");
    expect(await inOneBatch(consumerOf())).toMatchObject({ claimed: 0 });
    while ((await consumeAlone(env.context(), consumerOf())).claimed > 0);
    expect(await effects()).toEqual(["a", "b", "c"]);
  });

  it("when the process ended, each of its batch lost one attempt and is handled alone", async () => {
    const registry = consumerOf();
    await arrive(registry, "a", "b");
    await env.rows("select 1 from onceboard.claim_inbox('acme', 'gone', 1, 10, false)");
    await env.rows("update onceboard.inbox_open set locked_until = '-infinity'");
    expect(await inOneBatch(registry)).toMatchObject({ claimed: 0 });
    expect(await consumeAlone(env.context(), registry)).toMatchObject({ processed: 2 });
    expect(await env.rows("select outcome, owner, attempt from onceboard.message_attempts")).toEqual([
      { outcome: "lost", owner: "gone", attempt: 1 },
      { outcome: "lost", owner: "gone", attempt: 1 },
    ]);
  });

  it("what may have ended its process is handled with nothing else under way, so that its neighbours lose no attempt with it again", async () => {
    let running = 0;
    let most = 0;
    const count: Work = async (tx, message) => {
      running += 1;
      most = Math.max(most, running);
      await tx.query({ text: "select pg_sleep(0.02)" });
      await effect(tx, message);
      running -= 1;
    };
    const ids = Array.from({ length: 8 }, (_, index) => `m${String(index)}`);
    const registry = consumerOf(Object.fromEntries(ids.map((id) => [id, count])));
    await arrive(registry, ...ids);
    await env.rows("select 1 from onceboard.claim_inbox('acme', 'gone', 1, 10, false)");
    await env.rows("update onceboard.inbox_open set locked_until = '-infinity'");
    expect(await inOneBatch(registry)).toMatchObject({ claimed: 0 });
    expect(await consumeAlone(env.context(), registry)).toMatchObject({ processed: 8 });
    expect(most).toBe(1);
    // What only failed goes beside others.
    await env.rows("truncate onceboard.inbox_messages, onceboard.inbox_open, effects");
    await arrive(registry, ...ids);
    await env.rows("update onceboard.inbox_open set alone = true");
    expect(await consumeAlone(env.context(), registry)).toMatchObject({ processed: 8 });
    expect(most).toBeGreaterThan(1);
  });

  it("a flood of what is handled alone lies apart: the others are found without walking over it, and the other way round", async () => {
    const registry = consumerOf();
    await arrive(registry, "a");
    const flood = (alone: boolean, at: string) =>
      env.rows(
        `with made as (
           insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at)
           select 'acme', gen_random_uuid(), 'ledger', 'onceboard', $1 || n, 't', '{}', 'h'::bytea, now() from generate_series(1, 20000) n returning *)
         insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, alone)
         select tenant_id, id, consumer, received_at, now() - interval '1 hour', $2 from made`,
        at,
        alone,
      );
    const read = async (alone: boolean) => {
      const plan = await env.rows<{ "QUERY PLAN": string }>(
        `explain (analyze, costs off, timing off, summary off) select 1 from onceboard.inbox_open d
         where d.tenant_id = 'acme' and d.alone = ${String(alone)} and d.next_attempt_at <= clock_timestamp()
         order by d.next_attempt_at limit 1`,
      );
      return plan.map((row) => row["QUERY PLAN"]).join("\n");
    };
    await flood(true, "alone");
    await env.rows("analyze onceboard.inbox_open");
    expect(await inOneBatch(registry, { pace: UNHURRIED })).toMatchObject({
      claimed: 1,
      processed: 1,
    });
    for (const alone of [true, false]) {
      expect(await read(alone)).toContain("inbox_open_due");
      expect(await read(alone)).not.toContain("Rows Removed by Filter");
    }
  });

  it(
    "somebody else's lock is nothing against a message: it waits, however often, and no attempt is counted",
    { timeout: 30_000 },
    async () => {
      const registry = consumerOf();
      await arrive(registry, "a");
      const holder = await env.owner.pool.connect();
      try {
        await holder.query("begin; lock table effects in exclusive mode");
        expect(await inOneBatch(registry)).toMatchObject({ slow: 1, failed: 0 });
        for (let time = 0; time < 2; time += 1) {
          expect(await consumeAlone(env.context(), registry)).toMatchObject({ postponed: 1, failed: 0 });
          await env.rows("update onceboard.inbox_open set next_attempt_at = '-infinity'");
        }
        expect(await states()).toEqual({ a: "recorded 0/0 alone" });
        expect(await env.rows("select 1 from onceboard.message_attempts")).toEqual([]);
      } finally {
        await holder.query("rollback");
        holder.release();
      }
      expect(await consumeAlone(env.context(), registry)).toMatchObject({ processed: 1 });
    },
  );

  it("stopping gives back what was not begun, untouched", async () => {
    const stop = new AbortController();
    const begun: string[] = [];
    // Which of a batch is first is nobody's promise: the second one stops it, whichever it is.
    const work: Work = async (tx, message) => {
      begun.push(message.messageId);
      if (begun.length === 2) stop.abort();
      await effect(tx, message);
    };
    const registry = consumerOf({ a: work, b: work, c: work, d: work });
    await arrive(registry, "a", "b", "c", "d");
    expect(await inOneBatch(registry, { signal: stop.signal, pace: UNHURRIED })).toMatchObject({
      processed: 2,
    });
    expect(begun).toHaveLength(2);
    const ended = Object.fromEntries(
      ["a", "b", "c", "d"].map((id) => [id, begun.includes(id) ? "processed 1/1" : "recorded 0/0"]),
    );
    expect(await states()).toEqual(ended);
  });

  it("what crosses to somewhere else is never in a shared transaction", async () => {
    const registry = consumerOf({}, "idempotent");
    await arrive(registry, "a");
    expect(await inOneBatch(registry)).toMatchObject({ claimed: 0 });
    expect(await consumeAlone(env.context(), registry)).toMatchObject({ processed: 1 });
  });

  it("handlers that hang take the lanes of the alone, never more of them", async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let most = 0;
    let running = 0;
    const hang: Work = async () => {
      running += 1;
      most = Math.max(most, running);
      await gate;
      running -= 1;
    };
    const ids = Array.from({ length: 10 }, (_, index) => `h${String(index)}`);
    const registry = consumerOf(Object.fromEntries(ids.map((id) => [id, hang])));
    await arrive(registry, ...ids);
    await env.rows("update onceboard.inbox_open set alone = true");
    const ticking = consumeAlone(env.context(), registry);
    await expect.poll(() => running).toBe(WORKER_SLOTS);
    open();
    expect(await ticking).toMatchObject({ processed: 10 });
    expect(most).toBe(WORKER_SLOTS);
  });
});
