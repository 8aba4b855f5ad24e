import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { relay } from "./relay";
import { RELAY_BATCH, SENDING_LIMIT_MS } from "./relay-topic";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { through } from "../testing/transports";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.rows("truncate onceboard.outbox_messages, onceboard.outbox_history");
});

/** Writes many at once, `each` to an aggregate. */
const backlog = (count: number, each = 1) =>
  env.rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at)
     select $1, gen_random_uuid(), 'payment', 'p' || (n / $3), 'payments', 't', jsonb_build_object('n', n), clock_timestamp(), clock_timestamp()
     from generate_series(0, $2 - 1) n`,
    TENANT,
    count,
    each,
  );
const published = async () => (await env.rows("select 1 from onceboard.outbox_history")).length;

describe("OUTBOX-9 a tick with a backlog", () => {
  it("goes on from batch to batch, two under way at once, none sent twice", async () => {
    const count = RELAY_BATCH * 4 + 1;
    await backlog(count);
    const seen: string[] = [];
    let under = 0;
    let most = 0;
    const transport = through(async ({ id }) => {
      seen.push(id);
      most = Math.max(most, (under += 1));
      // The first of all waits for a delivery of another batch.
      if (seen[0] === id) await expect.poll(() => seen.length, { timeout: 10_000 }).toBeGreaterThan(RELAY_BATCH);
      under -= 1;
      return { kind: "acknowledged" };
    }, 8);
    expect(await relay(env.context(), transport)).toMatchObject({ claimed: count, published: count, fenced: 0 });
    expect(new Set(seen).size).toBe(count);
    expect(seen).toHaveLength(count);
    expect(most).toBeLessThanOrEqual(8);
  });

  it("keeps the order of each aggregate over batches that are under way together", async () => {
    await backlog(RELAY_BATCH * 3, 3);
    const seen: number[] = [];
    const transport = through(({ body }) => {
      seen.push((JSON.parse(body) as { n: number }).n);
      return { kind: "acknowledged" };
    });
    // Those behind a head are put off until it is published.
    for (let tick = 0; (await published()) < RELAY_BATCH * 3; tick += 1) {
      expect(tick).toBeLessThan(20);
      await relay(env.context(), transport);
    }
    for (let aggregate = 0; aggregate < RELAY_BATCH; aggregate += 1) {
      const own = seen.filter((n) => Math.floor(n / 3) === aggregate);
      expect(own).toEqual([aggregate * 3, aggregate * 3 + 1, aggregate * 3 + 2]);
    }
  });

  it("fails when a batch fails while an earlier one is still under way, and leaves no failure without an owner", async () => {
    await backlog(RELAY_BATCH * 2);
    // A sequence counts what is rolled back too.
    await env.rows("create sequence onceboard.refusals");
    await env.rows(
      "create function onceboard.refuse() returns trigger language plpgsql security definer as $$ begin perform nextval('onceboard.refusals'); raise 'no history today'; end $$",
    );
    await env.rows(
      "create trigger refuse before insert on onceboard.outbox_history for each row execute function onceboard.refuse()",
    );
    const failed = () => env.rows("select 1 from onceboard.refusals where is_called");
    const seen: string[] = [];
    const transport = through(async ({ id }) => {
      seen.push(id);
      // The first batch ends after the second has failed: a rejection that nobody waits for ends a process, and this test run.
      if (seen[0] === id) await expect.poll(failed, { timeout: 10_000 }).toHaveLength(1);
      return { kind: "acknowledged" };
    });
    try {
      await expect(relay(env.context(), transport)).rejects.toThrow("no history today");
    } finally {
      await env.rows("drop function onceboard.refuse cascade");
    }
    expect(seen).toHaveLength(RELAY_BATCH * 2);
  });

  it("starts no delivery after its time: the rest goes back unsent and is no attempt", async () => {
    await backlog(20);
    let now = 0;
    const transport = through(() => {
      now += SENDING_LIMIT_MS / 4;
      return { kind: "acknowledged" };
    }, 1);
    const result = await relay(env.context(), transport, { clock: () => now });
    expect(result).toMatchObject({ claimed: 20, published: 5, released: 15 });
    const left = await env.rows("select 1 from onceboard.outbox_messages where attempts_started = 0 and owner is null");
    expect(left).toHaveLength(15);
  });
});
