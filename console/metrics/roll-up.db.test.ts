import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import { takeCountSnapshots } from "@/db/metrics/roll-up";
import { rolledEvent, emptyRollUps } from "@/console/testing/roll-up-world";
import { inTransaction } from "@/db/transaction";
import { recordCountSnapshots, measure, ROLL_UP_MAX_MINUTES, rollUp } from "./roll-up";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";

const MINUTE = 60_000;
let env: EngineTestEnvironment;
/** A minute ten minutes ago: closed and settled. */
let minute: number;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  minute = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * MINUTE;
  await emptyRollUps(env, minute);
});

const event = (over: Partial<EventInsert> = {}): EventInsert =>
  rolledEvent(minute + 1_000, { attempt: undefined, ...over });
const add = (...events: EventInsert[]) => recordEvents(env.db.pool, events);
const minutes = () =>
  env.rows<{
    outcome: string;
    client: string;
    count: number;
    p95: number | null;
    max: number | null;
    delays: number;
  }>(
    `select outcome, client, count, latency_p95_ms as p95, latency_max_ms as max, delay_count as delays
     from onceboard.metric_minutes where bucket = $1 order by outcome, client`,
    new Date(minute),
  );

/** When that minute was computed last. What else a roll-up does depends on which minutes close while a test runs. */
const computedAt = () =>
  env.rows("select computed_at::text as at from onceboard.metric_buckets where bucket = $1", new Date(minute));

describe("roll-up", () => {
  it("counts what callers were told by operation, client and outcome, with latency and retry delay", async () => {
    const operationId = uuidv7();
    await add(...[10, 20, 30, 40].map((latencyMs) => event({ latencyMs })), event({ client: "web" }));
    await add(event({ operationId }));
    await add(
      event({ operationId, outcome: "replayed", type: "replayed", at: new Date(minute + 3_000).toISOString() }),
    );
    await rollUp(env.context());
    expect(await minutes()).toEqual([
      { outcome: "executed", client: "till", count: 5, p95: 38, max: 40, delays: 0 },
      { outcome: "executed", client: "web", count: 1, p95: 10, max: 10, delays: 0 },
      { outcome: "replayed", client: "till", count: 1, p95: 10, max: 10, delays: 1 },
    ]);
  });

  it("counts operations that became unknown, by caller and by recovery", async () => {
    await add(event({ outcome: "unknown", type: "unknown", code: "dependency.timeout" }));
    await add(event({ outcome: "unknown", type: "unknown", code: "idempotency.outcome_unknown" }));
    await add({
      ...event({ type: "reconciled", detail: { from: "IN_PROGRESS", to: "UNKNOWN_REQUIRES_RECOVERY" } }),
      outcome: undefined,
      client: undefined,
    });
    await rollUp(env.context());
    const entered = (await minutes()).filter(({ outcome }) => outcome === "unknown_entered");
    expect(entered.map(({ count }) => count)).toEqual([1, 1]);
  });

  it("running again, or two at once, leaves the same rows", async () => {
    await add(event(), event());
    await Promise.all([rollUp(env.context()), rollUp(env.context())]);
    const once = await minutes();
    expect(once).toMatchObject([{ count: 2 }]);
    const before = await computedAt();
    expect(await rollUp(env.context())).toMatchObject({ behind: 0 });
    expect(await minutes()).toEqual(once);
    expect(await computedAt()).toEqual(before);
  });

  it("a late event makes its minute stale, and the next tick recomputes it", async () => {
    await add(event());
    await rollUp(env.context());
    await add(event());
    expect(await minutes()).toMatchObject([{ count: 1 }]);
    await rollUp(env.context());
    expect(await minutes()).toMatchObject([{ count: 2 }]);
  });

  it("looks once more at a minute that was computed before it had settled", async () => {
    await add(event());
    await rollUp(env.context());
    await env.rows(
      "update onceboard.metric_buckets set computed_at = bucket + interval '65 seconds' where bucket = $1",
      new Date(minute),
    );
    const early = await computedAt();
    await rollUp(env.context());
    const settled = await computedAt();
    expect(settled).not.toEqual(early);
    await rollUp(env.context());
    expect(await computedAt()).toEqual(settled);
  });

  it("recomputes an hour that is over from its events, and leaves the one that runs", async () => {
    const hour = Math.floor(Date.now() / (60 * MINUTE)) * 60 * MINUTE - 60 * MINUTE;
    await env.rows("update onceboard.metric_buckets set bucket = $1", new Date(hour - MINUTE));
    await add(
      ...[1, 30, 59].map((offset) => event({ at: new Date(hour + offset * MINUTE).toISOString(), latencyMs: offset })),
    );
    await rollUp(env.context());
    expect(await env.rows("select bucket, count, latency_max_ms from onceboard.metric_hours")).toEqual([
      { bucket: new Date(hour), count: 3, latency_max_ms: 59 },
    ]);
  });

  it("leaves the minute that runs alone, and catches up a long absence in bounded steps", async () => {
    await env.rows(
      "update onceboard.metric_buckets set bucket = $1",
      new Date(minute - 2 * ROLL_UP_MAX_MINUTES * MINUTE),
    );
    await add(event({ at: new Date().toISOString() }));
    const first = await rollUp(env.context());
    expect(first.minutes).toBe(ROLL_UP_MAX_MINUTES);
    expect(first.behind).toBeGreaterThan(0);
    while ((await rollUp(env.context())).behind > 0);
    const [last] = await env.rows<{ bucket: Date }>("select max(bucket) as bucket from onceboard.metric_buckets");
    expect(last?.bucket.getTime()).toBeLessThan(Math.floor(Date.now() / MINUTE) * MINUTE);
    expect(await env.rows("select 1 from onceboard.metric_minutes")).toEqual([]);
  });
});

async function addMany(tenant: string, state: string, many: number): Promise<void> {
  await env.rows(
    `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
       state, body_day, created_at, updated_at, expires_at, purge_after)
     select $1, 'o', $2 || n, gen_random_uuid(), 'p', 'f', 1, '1', $2, current_date, now(), now(), now(), now() from generate_series(1, $3::int) n`,
    tenant,
    state,
    many,
  );
}

async function counts(tenant: string): Promise<Readonly<Record<string, number>>> {
  const rows = await env.rows<{ name: string; value: bigint }>(
    "select name, value from onceboard.count_snapshots where tenant_id = $1",
    tenant,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
}

describe("gauges and counts", () => {
  it("samples what is open, once a minute", async () => {
    await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY", ageHours: 2 });
    await env.operation({ state: "IN_PROGRESS", ageHours: 1 });
    await env.rows(
      "update onceboard.idempotency_open set locked_until = now() - interval '1 minute' where unknown_since is null",
    );
    const message = await env.outbox();
    await env.rows(
      "update onceboard.outbox_messages set created_at = now() - interval '3 minutes' where id = $1",
      message,
    );
    await env.rows(
      `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
       values ($1, gen_random_uuid(), 'ledger', now() - interval '4 minutes', now()), ($1, gen_random_uuid(), 'receipts', now(), now())`,
      TENANT,
    );
    await env.rows(
      `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at, settled_at, settled_by, settlement)
       select $1, gen_random_uuid(), 'inbox', gen_random_uuid(), 'ledger', 't', 'c:1', 'c', 'it broke', 5, now(), ended, who, how
       from (values (null, null, null), (now(), 'mira', 'requeued')) as e(ended, who, how)`,
      TENANT,
    );
    await measure(env.context());
    await measure(env.context());
    const rows = await env.rows<{ name: string; value: number }>(
      "select name, max(value) as value from onceboard.metric_gauges group by name",
    );
    const gauges = Object.fromEntries(rows.map(({ name, value }) => [name, Math.round(value)]));
    expect(gauges).toMatchObject({
      unknown: 1,
      in_progress: 1,
      outbox_pending: 1,
      outbox_oldest_seconds: 180,
      inbox_recorded: 2,
      inbox_oldest_seconds: 240,
      dead_letters: 1,
      oldest_unknown_seconds: 7_200,
      oldest_in_progress_seconds: 3_600,
    });
  });

  it("TRUTH-2 counts each state exactly also beyond 10,000 operations, again and again the same", async () => {
    await addMany(TENANT, "COMPLETED", 12_000);
    await addMany(TENANT, "FAILED_RETRYABLE", 3);
    for (let time = 0; time < 3; time += 1) {
      expect(await recordCountSnapshots(env.context())).toBe("exact");
      expect(await counts(TENANT)).toEqual({
        COMPLETED: 12_000,
        FAILED_REPLAYABLE: 0,
        FAILED_RETRYABLE: 3,
        EXPIRED: 0,
        all: 12_003,
      });
    }
  });

  it("TRUTH-2 estimates the same number again while no row changed, and says nothing of a state that is rare", async () => {
    await addMany(TENANT, "COMPLETED", 60_000);
    await addMany(TENANT, "EXPIRED", 3);
    const estimates: unknown[] = [];
    for (let time = 0; time < 3; time += 1) {
      expect(await takeCountSnapshots(env.owner.pool, TENANT, 10_000)).toBe("estimate");
      estimates.push(await counts(TENANT));
    }
    const [first] = estimates;
    expect(estimates).toEqual([first, first, first]);
    const { COMPLETED = 0, all = 0, ...rare } = await counts(TENANT);
    expect(rare).toEqual({});
    expect(COMPLETED).not.toBe(60_000);
    for (const count of [COMPLETED, all]) expect(Math.abs(count - 60_000)).toBeLessThan(6_000);
  });

  it("TRUTH-2 counts what expired exactly in a table of any size, by an index, while few windows are over", async () => {
    await addMany(TENANT, "COMPLETED", 60_000);
    await env.rows("update onceboard.idempotency_requests set expires_at = now() + interval '1 day'");
    await addMany(TENANT, "EXPIRED", 3);
    await addMany(TENANT, "FAILED_REPLAYABLE", 2);
    await env.rows("analyze onceboard.idempotency_requests");
    const fetched = await inTransaction(env.owner, async (tx) => {
      expect(await takeCountSnapshots(tx, TENANT, 10_000)).toBe("estimate");
      const { rows } = await tx.query<{ n: bigint }>({
        text: "select idx_tup_fetch as n from pg_stat_xact_user_tables where relid = 'onceboard.idempotency_requests'::regclass",
      });
      return Number(rows[0]?.n);
    });
    expect(fetched).toBe(5);
    const kinds = await env.rows("select name, value::int, kind from onceboard.count_snapshots where name = 'EXPIRED'");
    expect(kinds).toEqual([{ name: "EXPIRED", value: 3, kind: "exact" }]);
    expect(await counts(TENANT)).not.toHaveProperty("FAILED_REPLAYABLE");
  });

  it("TRUTH-2 counts exactly while there is little, and estimates beyond a bound", async () => {
    await env.operation();
    await env.operation({ state: "EXPIRED" });
    expect(await recordCountSnapshots(env.context())).toBe("exact");
    expect(await counts(TENANT)).toEqual({
      COMPLETED: 1,
      FAILED_REPLAYABLE: 0,
      FAILED_RETRYABLE: 0,
      EXPIRED: 1,
      all: 2,
    });
    await addMany(TENANT, "COMPLETED", 12_000);
    expect(await takeCountSnapshots(env.owner.pool, TENANT, 10_000)).toBe("estimate");
    expect((await counts(TENANT))["COMPLETED"]).toBeGreaterThan(10_000);
  });

  it("never says less than it counted: a small tenant may be missed by the sample of a large table", async () => {
    await env.rows(
      `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
         state, body_day, created_at, updated_at, expires_at, purge_after)
       select t, 'o', 'few' || n, gen_random_uuid(), 'p', 'f', 1, '1', 'COMPLETED', current_date, now(), now(), now(), now()
       from (select case when n <= 12 then 'few' else 'many' end as t, n from generate_series(1, 60000) n) s`,
    );
    for (let time = 0; time < 5; time += 1) {
      await takeCountSnapshots(env.owner.pool, "few", 10);
      const [all] = await env.rows<{ value: bigint; kind: string }>(
        "select value, kind from onceboard.count_snapshots where tenant_id = 'few' and name = 'all'",
      );
      expect(Number(all?.value)).toBeGreaterThanOrEqual(11);
      expect(all?.kind).toBe(Number(all?.value) === 11 ? "at_least" : "estimate");
    }
  });
});
