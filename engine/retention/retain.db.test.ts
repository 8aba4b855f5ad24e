import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { retain, retainDays, type RetainMemory } from "./retain";
import { readRetention } from "@/console/read/deployment/read-retention";
import { createEngineTestEnvironment, operator, TENANT, type EngineTestEnvironment } from "../testing/environment";

let env: EngineTestEnvironment;
const memory: RetainMemory = new Map();
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const stateOf = async (id: string) =>
  (await env.rows<{ state: string }>("select state from onceboard.idempotency_requests where operation_id = $1", id))[0]
    ?.state;
const bodiesOf = async (id: string) =>
  (await env.rows("select 1 from onceboard.idempotency_bodies where operation_id = $1", id)).length;

describe("retain", () => {
  it("RETENTION-1 expires and purges what is due, leaves what is young, and never touches what is open", async () => {
    const old = await env.operation({ ageHours: 48 });
    const young = await env.operation({ ageHours: 2 });
    const open = [
      await env.operation({ state: "IN_PROGRESS", ageHours: 24 * 40 }),
      await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY", ageHours: 24 * 40 }),
    ];
    expect(await retain(env.context(), memory)).toMatchObject({
      expired: 1,
      purgedBodies: 1,
      purgedOperations: 0,
      done: true,
    });
    expect(await stateOf(old)).toBe("EXPIRED");
    expect(await bodiesOf(old)).toBe(0);
    expect(await stateOf(young)).toBe("COMPLETED");
    expect(await bodiesOf(young)).toBe(2);
    expect(await Promise.all(open.map(stateOf))).toEqual(["IN_PROGRESS", "UNKNOWN_REQUIRES_RECOVERY"]);
    expect(await Promise.all(open.map(bodiesOf))).toEqual([2, 2]);
    expect(await retain(env.context(), memory)).toMatchObject({ expired: 0, purgedBodies: 0 });
  });

  it("records a run only when something went", async () => {
    const runs = () => env.rows("select kind, rows from onceboard.retention_runs");
    const before = await runs();
    expect(before).toEqual([{ kind: "retain", rows: 1 }]);
    await retain(env.context(), memory);
    expect(await runs()).toEqual(before);
  });

  it("RETENTION-4 the preview counts what a purge would take, and no key that may still run again", async () => {
    const env = await createEngineTestEnvironment();
    try {
      const again = await env.operation({ state: "FAILED_RETRYABLE", ageHours: 30, ttlHours: 48 });
      const replayed = await env.operation({ ageHours: 30, ttlHours: 48 });
      await env.operation({ state: "FAILED_RETRYABLE", ageHours: 30, ttlHours: 24 });
      // A retry of it gets the resource as it is, before a purge and after it.
      const represented = await env.operation({ ageHours: 30, ttlHours: 48 });
      await env.rows(
        "update onceboard.idempotency_requests set replay = 'reference' where operation_id = $1",
        represented,
      );
      const view = await readRetention(env.context({ actor: operator("admin") }), {});
      expect(view.preview).toMatchObject({ operations: 3, bodyRows: 6, losingReplay: 1, skippedOpen: 0 });
      expect(view.losing.map(({ operationId }) => operationId)).toEqual([replayed]);
      expect(await retain(env.context(), new Map())).toMatchObject({ purgedBodies: view.preview.operations });
      const left = await env.rows<{ operation_id: string }>(
        "select distinct operation_id from onceboard.idempotency_bodies",
      );
      expect(left).toEqual([{ operation_id: again }]);
    } finally {
      await env.close();
    }
  });

  it("does not walk past an operation that was open when its window ended", async () => {
    const id = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY", ageHours: 72 });
    await retain(env.context(), memory);
    await env.rows("delete from onceboard.idempotency_open where operation_id = $1", id);
    await env.rows("update onceboard.idempotency_requests set state = 'COMPLETED' where operation_id = $1", id);
    expect(await retain(env.context(), memory)).toMatchObject({ expired: 1, purgedBodies: 1 });
    expect(await stateOf(id)).toBe("EXPIRED");
  });

  it("forgets an operation only after its metadata's time, its bodies, and its messages", async () => {
    const silent = await env.operation({ ageHours: 24 * 40 });
    const waiting = await env.operation({ ageHours: 24 * 40 });
    await env.outbox({ operationId: waiting });
    expect(await retain(env.context(), new Map())).toMatchObject({ purgedOperations: 1 });
    expect(await stateOf(silent)).toBeUndefined();
    expect(await stateOf(waiting)).toBe("EXPIRED");
    expect(await retain(env.context(), memory)).toMatchObject({ purgedOperations: 0 });
  });

  it("forgets processed messages and old minutes, never what waits or is dead", async () => {
    for (const [state, days] of [
      ["processed", 40],
      ["processed", 2],
      ["recorded", 40],
      ["dead", 40],
    ] as const) {
      await env.rows(
        `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at)
         values ($1, gen_random_uuid(), 'default', 's', $2, 't', '{}', 'h', $3, clock_timestamp() - make_interval(days => $4))`,
        TENANT,
        `${state}-${String(days)}`,
        state,
        days,
      );
    }
    await env.rows(
      `insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) select $1, now() - make_interval(days => d), now() from unnest(array[1, 40]) d`,
      TENANT,
    );
    expect(await retain(env.context(), memory)).toMatchObject({ purgedMessages: 1 });
    const left = await env.rows<{ message_id: string }>(
      "select message_id from onceboard.inbox_messages order by message_id",
    );
    expect(left.map(({ message_id }) => message_id)).toEqual(["dead-40", "processed-2", "recorded-40"]);
    expect(await env.rows("select 1 from onceboard.metric_buckets")).toHaveLength(1);
  });

  it("two workers purge each body once", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => env.operation({ ageHours: 48 })));
    const results = await Promise.all([
      retain(env.context({ instance: "a" }), new Map()),
      retain(env.context({ instance: "b" }), new Map()),
    ]);
    expect(results.reduce((sum, { purgedBodies }) => sum + purgedBodies, 0)).toBe(ids.length);
    const outcomes = await env.rows(
      "select 1 from onceboard.idempotency_events where type = 'body_purged' and operation_id = any ($1)",
      ids,
    );
    expect(outcomes).toHaveLength(ids.length);
  });

  it("RETENTION-2 drops whole days beyond their retention, but no day that an open operation needs", async () => {
    const input = { now: new Date(), emptied: true };
    const kept = await retainDays(env.db, env.base.config, input);
    expect(kept.dropped).toEqual([]);
    await env.rows("delete from onceboard.idempotency_open");
    await env.rows("delete from onceboard.idempotency_bodies where created_at < now() - interval '1 day'");
    const config = { ...env.base.config, bodyTtlHours: -48, metadataTtlDays: -2 };
    const dropped = (await retainDays(env.db, config, input)).dropped;
    expect(dropped).toContain("idempotency_bodies_past");
    expect(dropped).toContain("outbox_history_past");
    expect(await env.rows("select 1 from onceboard.outbox_messages where tenant_id = $1", TENANT)).toHaveLength(1);
  });

  it("drops no bodies while some are left to purge row by row", async () => {
    const result = await retainDays(
      env.db,
      { bodyTtlHours: -72, metadataTtlDays: 30 },
      { now: new Date(), emptied: false },
    );
    expect(result.dropped.filter((name) => name.startsWith("idempotency_bodies"))).toEqual([]);
  });
});
