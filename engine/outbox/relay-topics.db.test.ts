import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settleMessage } from "@/db/messages/settle-message";
import { setTopic } from "@/db/outbox/topics";
import { DELIVERY_TIMEOUT_MS } from "@/domain/messages/delivery";
import { outboxBody, type EnvelopeSource } from "./envelope";
import { relay } from "./relay";
import type { CircuitCooldowns } from "./circuit-cooldowns";
import { RELAY_LEASE_MS, SENDING_LIMIT_MS } from "./relay-topic";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { through } from "../testing/transports";
import type { DeliveryResult, OutboxDelivery, Transports } from "./transport";

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
const DOWN: DeliveryResult = { kind: "unavailable", code: "delivery.nats_unavailable", reason: "The broker is away" };
const REFUSED: DeliveryResult = { kind: "rejected", code: "delivery.refused", reason: "no" };

function destination(answer: (delivery: OutboxDelivery) => DeliveryResult | Promise<DeliveryResult> = () => OK): {
  readonly seen: OutboxDelivery[];
  readonly to: Transports;
} {
  const seen: OutboxDelivery[] = [];
  const to = through((delivery) => {
    seen.push(delivery);
    return answer(delivery);
  });
  return { seen, to };
}
const settings = { tenantId: TENANT, transport: undefined, destination: undefined, reason: "upkeep", actor: "ada" };
const pause = (topic: string, version: number, paused: boolean) =>
  setTopic(env.db.pool, { ...settings, topic, version, paused });
const waiting = () =>
  env.rows<{ attempts_started: number; last_error_code: string | null; due: boolean }>(
    "select attempts_started, last_error_code, next_attempt_at <= clock_timestamp() as due from onceboard.outbox_messages order by position",
  );

describe("OUTBOX-5 topics of the relay", () => {
  it("a topic whose destination hangs takes no turn of the others", async () => {
    for (let count = 0; count < 30; count += 1) await env.outbox({ topic: "stuck" });
    const other = await env.outbox({ topic: "payments" });
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { to } = destination(async ({ topic }) => {
      if (topic === "stuck") await gate;
      return OK;
    });
    const ticking = relay(env.context(), to);
    await expect
      .poll(async () => (await env.rows<{ id: string }>("select id from onceboard.outbox_history")).map(({ id }) => id))
      .toEqual([other]);
    open();
    expect(await ticking).toMatchObject({ published: 31 });
  });

  it("a long line behind a dead message does not hold up its neighbours", async () => {
    await env.outbox({ aggregate: "stuck" });
    await relay(env.context(), destination(() => REFUSED).to);
    await env.rows(
      `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at)
       select $1, gen_random_uuid(), 'payment', 'stuck', 'payments', 't', '{}', now() - interval '1 hour', now() - interval '1 hour'
       from generate_series(1, 5000)`,
      TENANT,
    );
    const neighbour = await env.outbox({ aggregate: "free" });
    const { seen, to } = destination();
    expect(await relay(env.context(), to)).toMatchObject({ claimed: 1, published: 1 });
    expect(seen.map(({ id }) => id)).toEqual([neighbour]);
    // The line is put off as a whole: the next tick does not even look at the topic.
    expect((await waiting()).filter(({ due }) => due)).toHaveLength(1);
  });

  it("discarding the head lets the line go on, one after the other", async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push(await env.outbox({ aggregate: "one" }));
    await relay(env.context(), destination(() => REFUSED).to);
    await relay(env.context(), destination().to);
    expect(
      await settleMessage(
        env.db.pool,
        "discard_outbox",
        { tenantId: TENANT, id: ids[0] ?? "" },
        { actor: "ada", reason: "sent by hand" },
      ),
    ).toBe(true);
    const { seen, to } = destination();
    while ((await relay(env.context(), to)).published > 0);
    expect(seen.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(await env.rows("select state from onceboard.outbox_messages")).toEqual([{ state: "discarded" }]);
    expect(await env.rows("select settlement, settled_by, reason from onceboard.dead_letters")).toEqual([
      { settlement: "discarded", settled_by: "ada", reason: "sent by hand" },
    ]);
  });

  it("a paused topic rests and the others go on; resumed, everything is sent", async () => {
    await env.outbox({ topic: "payments" });
    await env.outbox({ topic: "accounts" });
    expect(await pause("payments", 0, true)).toMatchObject({ pausedBy: "ada", version: 1 });
    const { seen, to } = destination();
    expect(await relay(env.context(), to)).toMatchObject({ claimed: 1, published: 1 });
    expect(seen.map(({ topic }) => topic)).toEqual(["accounts"]);
    expect(await pause("payments", 0, false), "somebody changed it since").toBeUndefined();
    const resumed = await pause("payments", 1, false);
    expect(resumed).toMatchObject({ version: 2 });
    expect(resumed).not.toHaveProperty("pausedAt");
    expect(await relay(env.context(), to)).toMatchObject({ published: 1 });
  });

  it("OUTBOX-4 an outage counts no attempt, however long it is, and the topic rests longer each time", async () => {
    const ids = [];
    for (let count = 0; count < 20; count += 1) ids.push(await env.outbox());
    const cooldowns: CircuitCooldowns = new Map();
    let clock = 0;
    const down = destination(() => DOWN);
    const options = { cooldowns, clock: () => clock, random: () => 0.999 };
    const waits: number[] = [];
    for (let outage = 0; outage < 15; outage += 1) {
      const before = down.seen.length;
      expect(await relay(env.context(), down.to, options)).toMatchObject({ claimed: 20, unavailable: 20, failed: 0 });
      // The first who hears of it stops the rest of the batch.
      expect(down.seen.length - before).toBeLessThanOrEqual(8);
      expect(await relay(env.context(), down.to, options)).toMatchObject({ claimed: 0 });
      const [rest] = [...cooldowns.values()];
      waits.push((rest?.until ?? 0) - clock);
      clock = rest?.until ?? 0;
      await env.rows("update onceboard.outbox_messages set next_attempt_at = '-infinity'");
    }
    expect(waits[0]).toBeLessThan(waits[3] ?? 0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
    expect((await waiting()).every((row) => row.attempts_started === 0)).toBe(true);
    expect((await waiting())[0]?.last_error_code).toBe("delivery.nats_unavailable");
    const { seen, to } = destination();
    expect(await relay(env.context(), to, options)).toMatchObject({ published: 20 });
    expect(seen.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(cooldowns.size).toBe(0);
  });

  it("keeps each failed attempt, and one whose relay never came back", async () => {
    const id = await env.outbox();
    await relay(env.context({ instance: "relay-a" }), destination(() => ({ ...REFUSED, kind: "failed" })).to);
    await env.rows("update onceboard.outbox_messages set next_attempt_at = '-infinity'");
    const hung = destination(() => new Promise(() => undefined));
    void relay(env.context({ instance: "relay-b" }), hung.to);
    await expect.poll(() => hung.seen.length).toBe(1);
    await env.rows("update onceboard.outbox_messages set locked_until = clock_timestamp() - interval '1 second'");
    await relay(env.context({ instance: "relay-c" }), destination().to);
    expect(
      await env.rows(
        "select side, place, attempt, owner, outcome, error_code from onceboard.message_attempts where message_row_id = $1 order by attempt",
        id,
      ),
    ).toEqual([
      {
        side: "outbox",
        place: "payments",
        attempt: 1,
        owner: "relay-a",
        outcome: "failed",
        error_code: "delivery.refused",
      },
      { side: "outbox", place: "payments", attempt: 2, owner: "relay-b", outcome: "lost", error_code: null },
    ]);
    expect(await env.rows("select published_by, transport, attempts_started from onceboard.outbox_history")).toEqual([
      { published_by: "relay-c", transport: "http", attempts_started: 3 },
    ]);
  });

  it("a lease outlasts a batch of deliveries that all time out", () => {
    expect(RELAY_LEASE_MS).toBeGreaterThan(SENDING_LIMIT_MS + DELIVERY_TIMEOUT_MS);
  });
});

describe("OUTBOX-7 the envelope", () => {
  const rowOf = async (id: string): Promise<EnvelopeSource> => {
    const [row] = await env.rows<EnvelopeSource>("select * from onceboard.outbox_messages where id = $1", id);
    if (row === undefined) throw new Error("no such message");
    return row;
  };

  it("is a CloudEvent 1.0 with the trace of the request that wrote it", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const id = await env.outbox({ aggregate: "p1", headers: { envelope: "cloudevents/1.0", traceparent } });
    const row = await rowOf(id);
    const event = JSON.parse(outboxBody(TENANT, row)) as Record<string, unknown>;
    expect(event).toMatchObject({
      specversion: "1.0",
      id,
      source: "/onceboard/acme",
      type: "payment.succeeded",
      subject: "payment/p1",
      datacontenttype: "application/json",
      tenant: TENANT,
      traceparent,
      data: (row.payload as { data: unknown }).data,
    });
    // Attribute names of CloudEvents are lower-case letters and digits; a time is RFC 3339.
    expect(Object.keys(event).filter((name) => !/^[a-z0-9]+$/.test(name))).toEqual([]);
    expect(new Date(String(event["time"])).toISOString()).toBe(event["time"]);
    expect(event["sequence"]).toBe(row.position.toString().padStart(20, "0"));
  });

  it("is the same bytes on every attempt and after the move to the history, and old messages stay as they were", async () => {
    const id = await env.outbox({ headers: { envelope: "cloudevents/1.0" } });
    const bare = await env.outbox();
    const before = [outboxBody(TENANT, await rowOf(id)), outboxBody(TENANT, await rowOf(bare))];
    const failing = destination(() => ({ kind: "failed", code: "delivery.timeout", reason: "late" }));
    await relay(env.context(), failing.to);
    await env.rows("update onceboard.outbox_messages set next_attempt_at = '-infinity'");
    const { seen, to } = destination();
    await relay(env.context(), to);
    for (const seenBy of [failing.seen, seen]) {
      expect(seenBy.map((delivery) => delivery.body).sort()).toEqual([...before].sort());
    }
    const history = await env.rows<EnvelopeSource>("select * from onceboard.outbox_history where id = $1", id);
    expect(history.map((row) => outboxBody(TENANT, row))).toEqual([before[0]]);
    expect(JSON.parse(before[1] ?? "")).not.toHaveProperty("specversion");
  });
});
