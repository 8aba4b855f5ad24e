import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { claimOutbox } from "@/db/messages/claim-messages";
import { publishOutbox } from "@/db/messages/end-attempt";
import { settleMessage } from "@/db/messages/settle-message";
import { relay, TOPIC_CONCURRENCY, TOPICS_PER_TICK } from "./relay";
import type { CircuitCooldowns } from "./circuit-cooldowns";
import { createTopicSlots } from "./topic-slots";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { through } from "../testing/transports";
import type { DeliveryResult } from "./transport";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.rows(
    "truncate onceboard.outbox_messages, onceboard.outbox_history, onceboard.dead_letters, onceboard.topics, onceboard.message_attempts",
  );
});
const OK: DeliveryResult = { kind: "acknowledged" };
const waiting = () =>
  env.rows<{ attempts_finished: number; last_error_code: string | null; owner: string | null; state: string }>(
    "select attempts_finished, last_error_code, owner, state from onceboard.outbox_messages order by position",
  );

it("OUTBOX-5 a transport that breaks over one message fails that message, not the tick, nor every other tenant's", async () => {
  const broken = await env.outbox();
  await env.outbox();
  const to = through(({ id }) => {
    if (id === broken) throw new Error("the secret of this endpoint cannot be opened");
    return OK;
  });
  expect(await relay(env.context(), to)).toMatchObject({ published: 1, failed: 1 });
  expect(await waiting()).toEqual([
    { attempts_finished: 1, last_error_code: "delivery.broken", owner: null, state: "pending" },
  ]);
});

it("OUTBOX-5 topics that rest take no place of those that are due", async () => {
  const cooldowns: CircuitCooldowns = new Map();
  await env.rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at)
     select $1, gen_random_uuid(), 'payment', n::text, 'down' || lpad(n::text, 4, '0'), 't', '{}', now(), now() from generate_series(1, $2::int) n`,
    TENANT,
    TOPICS_PER_TICK,
  );
  for (const { topic } of await env.rows<{ topic: string }>("select topic from onceboard.outbox_messages"))
    cooldowns.set(`${TENANT}/${topic}`, { until: performance.now() + 60_000, outages: 1 });
  await env.outbox({ topic: "payments" });
  expect(
    await relay(
      env.context(),
      through(() => OK),
      { cooldowns },
    ),
  ).toMatchObject({ published: 1 });
});

it("OUTBOX-5 destinations that hang keep nothing waiting but their own topics, however many there are", async () => {
  const hanging = TOPIC_CONCURRENCY * 3;
  for (let n = 0; n < hanging; n += 1) await env.outbox({ topic: `hangs-${String(n)}` });
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const seen: string[] = [];
  const to = through(async ({ topic }) => {
    seen.push(topic);
    if (topic.startsWith("hangs")) await gate;
    return OK;
  });
  const slots = createTopicSlots(10);
  expect(await relay(env.context(), to, { slots })).toMatchObject({ published: 0 });
  await env.outbox({ topic: "payments" });
  await expect.poll(async () => (await relay(env.context(), to, { slots })).published).toBe(1);
  open();
  await slots.allEnded();
  expect(await relay(env.context(), to, { slots })).toMatchObject({ claimed: hanging, published: hanging });
  expect(seen).toHaveLength(hanging + 1);
});

it("OUTBOX-2 a message is woken by the one before it also while a relay is putting it off", async () => {
  const head = await env.outbox({ aggregate: "stuck" });
  await env.outbox({ aggregate: "stuck" });
  await relay(
    env.context(),
    through(() => ({ kind: "rejected", code: "delivery.refused", reason: "no" })),
  );
  await env.rows("update onceboard.outbox_messages set next_attempt_at = clock_timestamp() where state = 'pending'");
  const claim = { tenantId: TENANT, topic: "payments", leaseMs: 30_000, limit: 10 };
  const slow = await env.owner.pool.connect();
  try {
    await slow.query("begin");
    // It sees a dead head, so the one behind is put off for minutes.
    expect(await claimOutbox(slow, { ...claim, owner: "slow" })).toEqual([]);
    await settleMessage(
      env.db.pool,
      "requeue_outbox",
      { tenantId: TENANT, id: head },
      { actor: "ada", reason: "it is up again" },
    );
    const sent = await claimOutbox(env.db.pool, { ...claim, owner: "quick" });
    expect(sent.map(({ id }) => id)).toEqual([head]);
    const publishing = publishOutbox(env.db.pool, TENANT, sent, "http");
    const blocked = expect
      .poll(() =>
        env.rows("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
      )
      .not.toEqual([]);
    await Promise.race([publishing, blocked]);
    await slow.query("commit");
    expect(await publishing).toEqual([head]);
  } finally {
    slow.release();
  }
  expect(await env.rows("select next_attempt_at <= clock_timestamp() as due from onceboard.outbox_messages")).toEqual([
    { due: true },
  ]);
});

it("OUTBOX-2 a long line of one aggregate is put off once, and each is woken by the one before it", async () => {
  for (let n = 0; n < 4; n += 1) await env.outbox({ aggregate: "hot" });
  const line = async () =>
    (
      await env.rows<{ wait: number }>(
        "select greatest(0, extract(epoch from next_attempt_at - clock_timestamp()))::float as wait from onceboard.outbox_messages order by position",
      )
    ).map(({ wait }) => (wait > 5 ? "waits" : "due"));
  const to = through(() => OK);
  for (const left of [["due", "waits", "waits"], ["due", "waits"], ["due"], []]) {
    expect(await relay(env.context(), to)).toMatchObject({ claimed: 1, published: 1 });
    expect(await line()).toEqual(left);
  }
});
