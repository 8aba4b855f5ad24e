import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SIDES } from "@/domain/messages/side";
import { relay } from "./relay";
import type { DeliveryResult, OutboxDelivery } from "./transport";
import { through } from "../testing/transports";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.rows("truncate onceboard.outbox_messages, onceboard.outbox_history, onceboard.dead_letters");
});

/** A destination that remembers what came and answers as told. */
function destination(
  answer: (delivery: OutboxDelivery) => DeliveryResult | Promise<DeliveryResult> = () => ({ kind: "acknowledged" }),
) {
  const seen: OutboxDelivery[] = [];
  const transport = through((delivery) => {
    seen.push(delivery);
    return answer(delivery);
  });
  return { seen, transport };
}
const failing: DeliveryResult = { kind: "failed", code: "delivery.http_503", reason: "The destination answered 503" };
const published = () =>
  env.rows<{ id: string }>("select id from onceboard.outbox_history order by published_at, position");
const pending = () =>
  env.rows<{ id: string; state: string; attempts_started: number; wait_ms: number; locked: boolean }>(
    `select id, state, attempts_started, (extract(epoch from next_attempt_at - clock_timestamp()) * 1000)::int as wait_ms,
       locked_until is not null as locked from onceboard.outbox_messages order by position`,
  );
const due = () => env.rows("update onceboard.outbox_messages set next_attempt_at = '-infinity', locked_until = null");

describe("relay", () => {
  it("delivers, marks, and keeps what it delivered in the history", async () => {
    const ids = [await env.outbox(), await env.outbox()];
    const { seen, transport } = destination();
    expect(await relay(env.context(), transport)).toMatchObject({ claimed: 2, published: 2, failed: 0 });
    expect(seen.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect((await published()).map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await pending()).toEqual([]);
    expect(await relay(env.context(), transport)).toMatchObject({ claimed: 0 });
  });

  it("two relays share the work: nothing twice, nothing left", async () => {
    for (let count = 0; count < 40; count += 1) await env.outbox();
    const { seen, transport } = destination();
    const relays = ["relay-a", "relay-b", "relay-c"].map((instance) =>
      relay(env.context({ instance }), transport, { limit: 15 }),
    );
    const results = await Promise.all(relays);
    while ((await relay(env.context(), transport)).claimed > 0);
    expect(results.reduce((sum, result) => sum + result.published, 0)).toBeGreaterThan(15);
    expect(seen).toHaveLength(40);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(40);
    expect(await published()).toHaveLength(40);
  });

  it("OUTBOX-2 keeps the order of an aggregate, and lets others pass", async () => {
    const first = await env.outbox({ aggregate: "p1" });
    const second = await env.outbox({ aggregate: "p1" });
    const other = await env.outbox({ aggregate: "p2" });
    const { seen, transport } = destination(({ id }) => (id === first ? failing : { kind: "acknowledged" }));
    await relay(env.context(), transport);
    expect(seen.map(({ id }) => id).sort()).toEqual([first, other].sort());
    await relay(env.context(), transport);
    expect(seen).toHaveLength(2);
    await due();
    const good = destination();
    await relay(env.context(), good.transport);
    await relay(env.context(), good.transport);
    expect(good.seen.map(({ id }) => id)).toEqual([first, second]);
  });

  it("OUTBOX-3 a lower position that commits later is not skipped", async () => {
    const client = await env.owner.pool.connect();
    try {
      await client.query("begin");
      await client.query({
        text: `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at)
               values ($1, gen_random_uuid(), 'payment', 'late', 'payments', 't', '{}', clock_timestamp(), clock_timestamp())`,
        values: [TENANT],
      });
      const early = await env.outbox();
      const { seen, transport } = destination();
      await relay(env.context(), transport);
      expect(seen.map(({ id }) => id)).toEqual([early]);
      await client.query("commit");
      expect(await relay(env.context(), transport)).toMatchObject({ published: 1 });
    } finally {
      client.release();
    }
  });

  it("OUTBOX-1 a crash between send and mark sends the same id and the same bytes again, and the late mark is fenced", async () => {
    const id = await env.outbox();
    let crash = (): void => undefined;
    const hung = destination(() => new Promise((resolve) => (crash = () => resolve({ kind: "acknowledged" }))));
    const dying = relay(env.context({ instance: "relay-dying" }), hung.transport);
    await expect.poll(() => hung.seen.length).toBe(1);
    expect(await relay(env.context({ instance: "relay-b" }), destination().transport)).toMatchObject({ claimed: 0 });
    await env.rows("update onceboard.outbox_messages set locked_until = clock_timestamp() - interval '1 second'");
    const next = destination();
    expect(await relay(env.context({ instance: "relay-b" }), next.transport)).toMatchObject({ published: 1 });
    expect(next.seen[0]).toEqual(hung.seen[0]);
    expect(next.seen[0]?.id).toBe(id);
    crash();
    expect(await dying).toMatchObject({ published: 0, fenced: 1 });
    expect(await published()).toEqual([{ id }]);
  });

  it("OUTBOX-4 waits longer after each failure and ends as one dead letter", async () => {
    const id = await env.outbox();
    const { transport } = destination(() => failing);
    const waits: number[] = [];
    for (let attempt = 1; attempt < SIDES.outbox.maxAttempts; attempt += 1) {
      expect(await relay(env.context(), transport, { random: () => 0.999 })).toMatchObject({ failed: 1 });
      waits.push((await pending())[0]?.wait_ms ?? 0);
      await due();
    }
    expect(waits[0]).toBeLessThanOrEqual(1_000);
    expect(waits.at(-1)).toBeGreaterThan(290_000);
    expect(await relay(env.context(), transport)).toMatchObject({ failed: 0, dead: 1 });
    const [letter] = await env.rows<{
      message_row_id: string;
      error_fingerprint: string;
      attempts: number;
      place: string;
    }>("select message_row_id, error_fingerprint, attempts, place from onceboard.dead_letters");
    expect(letter).toMatchObject({ message_row_id: id, attempts: SIDES.outbox.maxAttempts, place: "payments" });
    expect(letter?.error_fingerprint).toMatch(/^delivery\.http_503:/);
    await due();
    expect(await relay(env.context(), transport)).toMatchObject({ claimed: 0 });
  });

  it("a rejected message is dead at once and holds its aggregate back", async () => {
    await env.outbox({ aggregate: "p1" });
    await env.outbox({ aggregate: "p1" });
    const { seen, transport } = destination(() => ({
      kind: "rejected",
      code: "delivery.payload_mismatch",
      reason: "another payload",
    }));
    expect(await relay(env.context(), transport)).toMatchObject({ dead: 1 });
    await due();
    expect(await relay(env.context(), transport)).toMatchObject({ claimed: 0 });
    expect(seen).toHaveLength(1);
  });

  it("stopping finishes what is under way and gives the rest back untouched", async () => {
    for (let count = 0; count < 20; count += 1) await env.outbox();
    const stop = new AbortController();
    const { seen, transport } = destination(() => {
      stop.abort();
      return { kind: "acknowledged" };
    });
    const result = await relay(env.context(), transport, { signal: stop.signal });
    expect(result.published).toBe(seen.length);
    expect(result.released).toBe(20 - seen.length);
    const left = await pending();
    expect(left).toHaveLength(20 - seen.length);
    expect(left.every((row) => row.attempts_started === 0 && !row.locked)).toBe(true);
  });
});
