import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorkerSlots } from "./worker-slots";
import { consumeAlone, consumeTogether } from "./consume";
import { createConsumerRegistry } from "./consumer";
import { createHandlerPace } from "./handler-pace";
import { SIDES } from "@/domain/messages/side";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";

/**
 * One message in a hundred cannot be handled: some throw, some hang, some have a bad shape or an unknown type. Two loops work as
 * in a worker, one on what was never tried and one on what has to be handled alone.
 */
const POISON_EVERY = 100;
const KINDS = ["throw", "hang", "schema", "unknown"] as const;
/** Messages of the round that measures what this machine can do now. */
const MEASURED = 4_000;
/** The traffic is this share of that, so that a busy machine changes nothing but the length of a step. */
const SHARE = 0.4;
const STEPS = 40;
const STEP_MS = 100;
/** What is still in its first seconds when the traffic ends may be under way. */
const GRACE_MS = 1_000;
const LET_GO_MS = 5_000;
const IDLE_MS = 20;
/** Of the healthy messages, in the time of the traffic. */
const LEAST_RATE = 0.9;
const ROUNDS = 3;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows("create table effects (message_id text primary key)");
  await env.rows("grant all on effects to onceboard_app");
});
afterAll(() => env.close());
beforeEach(async () => {
  await empty();
});
const empty = () =>
  env.rows(
    "truncate onceboard.inbox_messages, onceboard.inbox_open, onceboard.inbox_arrivals, onceboard.dead_letters, onceboard.message_attempts, effects",
  );

/** What the hanging handlers wait for. */
let hanging: Promise<string>;
let letGo: (result: string) => void;
const body = z.object({ amount: z.string() });
const registry = createConsumerRegistry([
  {
    name: "ledger",
    path: "transaction",
    subscribes: () => true,
    async handle(_ctx, tx, message) {
      await tx.query({ name: "effect", text: "insert into effects values ($1)", values: [message.messageId] });
      switch (message.type) {
        case "throw":
          throw new Error("the handler is broken");
        case "hang":
          return hanging;
        case "unknown":
          throw new Error("this consumer does not know this type of event");
        default:
          body.parse(message.payload);
          return "ok";
      }
    },
  },
]);

/** @param poison one message in {@link POISON_EVERY} is of a kind that cannot be handled */
const arrive = (poison: boolean, count: number, from = 0) =>
  env.rows(
    `with made as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at)
       select $1, gen_random_uuid(), 'ledger', 'onceboard', 'm' || n, coalesce(kind, 'ok'),
         case when kind = 'schema' then '{"amount": 1}' else '{"amount": "1.00"}' end::jsonb, 'h'::bytea, clock_timestamp()
       from (select n, case when $2 and n % $3 = 0 then ($4::text[])[1 + (n / $3) % cardinality($4::text[])] end as kind from generate_series($6::int + 1, $6::int + $5::int) n) t
       returning tenant_id, id, consumer, received_at, message_id)
     insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
     select tenant_id, id, consumer, received_at, clock_timestamp() + substr(message_id, 2)::int * interval '1 microsecond' from made`,
    TENANT,
    poison,
    POISON_EVERY,
    KINDS,
    count,
    from,
  );
/** Tables that were just emptied have no statistics, and plans then read all of a tenant's messages. A worker's loop sees to it (db/health/analyze_grown.sql). */
const analyze = () => env.rows("analyze onceboard.inbox_messages, onceboard.inbox_open");
/** Healthy messages by state, of one moment: one that is handled between two questions would be in neither. */
async function healthy(): Promise<{ readonly processed: number; readonly recorded: number }> {
  const [found] = await env.rows<{ processed: number; recorded: number }>(
    `select (count(*) filter (where state = 'processed'))::int as processed, (count(*) filter (where state = 'recorded'))::int as recorded
     from onceboard.inbox_messages where type = 'ok'`,
  );
  return found ?? { processed: 0, recorded: 0 };
}

/** The loops of a worker, until they are stopped. */
function startLoops(): { stop(): Promise<void> } {
  hanging = new Promise((resolve) => (letGo = resolve));
  const stop = new AbortController();
  const slots = createWorkerSlots();
  const options = { signal: stop.signal, pace: createHandlerPace() };
  const loop = async (tick: () => Promise<{ readonly claimed: number }>): Promise<void> => {
    while (!stop.signal.aborted) if ((await tick()).claimed === 0) await pause(IDLE_MS);
  };
  const running = Promise.all([
    loop(() => consumeTogether(env.context(), registry, options)),
    loop(() => consumeAlone(env.context({ instance: "alone" }), registry, { ...options, slots })),
  ]);
  return {
    async stop() {
      letGo("ok");
      stop.abort();
      await running;
      await slots.allFree(LET_GO_MS);
    },
  };
}

/** @returns healthy messages per second that this machine handles now, with nothing else in the inbox. */
async function capacity(): Promise<number> {
  await arrive(false, MEASURED);
  await analyze();
  const from = performance.now();
  const loops = startLoops();
  await expect.poll(healthy, { interval: 10, timeout: 60_000 }).toMatchObject({ recorded: 0 });
  const took = performance.now() - from;
  await loops.stop();
  await empty();
  return (MEASURED / took) * 1_000;
}

const stepOf = (perSecond: number): number => Math.round((perSecond * STEP_MS) / 1_000);

/** Traffic with poison in it, at an even rate. @returns healthy messages that were handled in its time, and those that were not */
async function traffic(
  perStep: number,
  stepMs: number,
): Promise<{ readonly processed: number; readonly left: number }> {
  const loops = startLoops();
  const from = performance.now();
  for (let step = 0; step < STEPS; step += 1) {
    await arrive(true, perStep, step * perStep);
    if (step === 0) await analyze();
    await pause(from + (step + 1) * stepMs - performance.now());
  }
  await pause(GRACE_MS);
  const { processed, recorded: left } = await healthy();
  await loops.stop();
  return { processed, left };
}

describe("INBOX-5 poison", () => {
  it("leaves healthy messages at least nine tenths of their rate", { timeout: 120_000 }, async () => {
    let share: number | undefined;
    let perStep = 0;
    for (let round = 0; share === undefined && round < ROUNDS; round += 1) {
      await empty();
      const perSecond = (await capacity()) * SHARE;
      // Each step has its poison: on a machine that is too busy for so many messages it is longer instead.
      perStep = Math.max(POISON_EVERY, stepOf(perSecond));
      const stepMs = Math.max(STEP_MS, (perStep / perSecond) * 1_000);
      const { processed, left } = await traffic(perStep, stepMs);
      expect(processed + left).toBeGreaterThan(STEPS * perStep * 0.98);
      share = processed / (processed + left);
      if (share > LEAST_RATE) break;
      // Other files run beside this one: where the machine could no longer have carried the traffic without poison, the round says nothing.
      await empty();
      if (((await capacity()) * SHARE * stepMs) / 1_000 < perStep / 2) share = undefined;
    }
    expect(share ?? 0, `${String(perStep)} messages a step`).toBeGreaterThan(LEAST_RATE);
    // The poison was there: it failed, or hangs.
    expect((await env.rows("select 1 from onceboard.message_attempts limit 30")).length).toBeGreaterThan(20);
    expect(
      (
        await env.rows(
          "select 1 from effects e join onceboard.inbox_messages m on m.message_id = e.message_id where m.type in ('throw', 'schema', 'unknown')",
        )
      ).length,
    ).toBe(0);
  });

  it("ends in dead letters after its attempts, each kind under a name of its own", async () => {
    await arrive(true, MEASURED);
    await env.rows(
      "with gone as (delete from onceboard.inbox_messages where type in ('ok', 'hang') returning id) delete from onceboard.inbox_open where id in (select id from gone)",
    );
    await env.rows("update onceboard.inbox_open set alone = true");
    for (let attempt = 0; attempt < SIDES.inbox.maxAttempts; attempt += 1) {
      while ((await consumeAlone(env.context(), registry)).claimed > 0);
      await env.rows("update onceboard.inbox_open set next_attempt_at = '-infinity'");
    }
    const groups = await env.rows<{ kinds: string; letters: number; attempts: number }>(
      `select string_agg(distinct m.type, ',') as kinds, count(*)::int as letters, max(d.attempts) as attempts
       from onceboard.dead_letters d join onceboard.inbox_messages m on m.id = d.message_row_id group by d.error_fingerprint order by 1`,
    );
    expect(groups).toEqual(
      ["schema", "throw", "unknown"].map((kinds) => ({
        kinds,
        letters: MEASURED / POISON_EVERY / KINDS.length,
        attempts: SIDES.inbox.maxAttempts,
      })),
    );
    expect(await env.rows("select 1 from effects")).toEqual([]);
  });
});
