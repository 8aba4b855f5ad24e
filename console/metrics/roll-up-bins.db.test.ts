import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import { purgeMetrics } from "@/db/retention/purge";
import { BIN_LIMITS_MS, NO_ANSWER_BIN, type BinMeasure } from "@/domain/metrics/bins";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";
import { rolledEvent, emptyRollUps } from "@/console/testing/roll-up-world";
import { rollUp } from "./roll-up";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let env: EngineTestEnvironment;
/** The hour before the one that runs. */
let hour: number;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  hour = Math.floor(Date.now() / HOUR) * HOUR - HOUR;
  await emptyRollUps(env, hour);
});

const timeout = { outcome: "unknown", type: "unknown", code: "dependency.timeout", latencyMs: 10_001 } as const;
const replayed = { outcome: "replayed", type: "replayed", attempt: 1 } as const;

const rolled = (measure: BinMeasure) =>
  env.rows<{ client: string; bin: number; bucket: Date; count: number }>(
    "select client, bin, bucket, count from onceboard.metric_bins where tenant_id = $1 and unit = 'minute' and measure = $2 order by client, bucket, bin",
    TENANT,
    measure,
  );

/** Each event against all others of its operation and client, with the limits of the domain: a query that nobody would run on a page. */
const oracle = async (measure: BinMeasure) => {
  const first = measure === "first_answer";
  const rows = await env.rows<{ client: string; bucket: Date; value: number; never: boolean }>(
    first
      ? `select '' as client, date_trunc('minute', at) as bucket, latency_ms::float8 as value, outcome = 'unknown' as never
         from onceboard.idempotency_events where operation not like 'admin.%' and (outcome = 'executed' or code = 'dependency.timeout')`
      : `select * from (
           select e.client, date_trunc('minute', e.at) as bucket, false as never,
             extract(epoch from e.at - (select max(b.at) from onceboard.idempotency_events b
               where b.operation_id = e.operation_id and b.client = e.client and b.at < e.at and b.at > e.at - interval '3 days'))::float8 * 1000 as value
           from onceboard.idempotency_events e where e.operation not like 'admin.%' and (e.outcome in ('replayed', 'conflict', 'in_progress')
             or e.code = 'idempotency.outcome_unknown' or e.attempt > 1)) k where value is not null`,
  );
  const counts = new Map<string, { client: string; bin: number; bucket: Date; count: number }>();
  for (const { client, bucket, value, never } of rows) {
    const bin = never ? NO_ANSWER_BIN : BIN_LIMITS_MS[measure].filter((limit) => value >= limit).length;
    const key = [client, bucket.toISOString(), String(bin)].join(" ");
    counts.set(key, { client, bin, bucket, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort(
    (a, b) => a.client.localeCompare(b.client) || a.bucket.getTime() - b.bucket.getTime() || a.bin - b.bin,
  );
};

/** An hour with answers of every length and retries of every distance, also over the edges of minutes and by another client. */
async function mixedHour(): Promise<void> {
  const latencies = [0, 24, 25, 49, 50, 99, 199, 200, 399, 799, 800, 1_599, 1_600, 3_199, 3_200, 9_999, 28_000];
  const gaps = [0.5, 40, 99, 100, 499, 500, 1_999, 2_000, 30_000, 60_000, 299_000, 300_000, 1_500_000];
  const events = latencies.map((latencyMs, index) => rolledEvent(hour + index * 47_000, { latencyMs }));
  events.push(rolledEvent(hour + 5_000, timeout), rolledEvent(hour + 65_000, timeout));
  events.push(rolledEvent(hour + 5_000, { operation: "admin.outbox.requeue", latencyMs: 5 }));
  const others: EventInsert[] = [];
  for (const [index, gap] of gaps.entries()) {
    // The request stands just before the end of a minute, the retry often in the next one.
    const at = hour + (index + 1) * MINUTE - 20;
    const of = { operationId: uuidv7(), client: index % 3 === 0 ? "web" : "till" };
    events.push(rolledEvent(at, of), rolledEvent(Math.ceil(at + gap), { ...of, ...replayed }));
    // Its first request of the key, however soon after the other client's, is no retry of its own.
    others.push(
      rolledEvent(Math.ceil(at + gap) + 30, { ...of, client: "other", outcome: "conflict", type: "conflict" }),
    );
  }
  // All in one statement, as the recorder writes: no event's own delay knows of the ones beside it.
  await recordEvents(env.db.pool, events);
  await recordEvents(env.db.pool, others);
  await recordEvents(env.db.pool, [
    rolledEvent(hour + 50 * MINUTE, { latencyMs: 30, attempt: 2, operationId: events[0]?.operationId ?? "" }),
    rolledEvent(hour + 51 * MINUTE, { ...replayed, operationId: events[0]?.operationId ?? "" }),
  ]);
}

describe("DIST-1 times as distributions", () => {
  it.each(["first_answer", "retry_delay"] as const)(
    "%s: every bin of every minute is what the events say",
    async (measure) => {
      await mixedHour();
      await rollUp(env.context());
      const rows = await rolled(measure);
      expect(rows).toEqual(await oracle(measure));
      expect(new Set(rows.map(({ bin }) => bin)).size).toBeGreaterThan(5);
    },
  );

  it("rolling up minute by minute, again, and after a late event leaves what the events say", async () => {
    await mixedHour();
    for (let minute = 0; minute < 60; minute += 1)
      await env.rows(
        "select onceboard.roll_up($1, $2, $3, 150)",
        TENANT,
        new Date(hour + minute * MINUTE),
        new Date(hour + (minute + 1) * MINUTE),
      );
    expect(await rolled("retry_delay")).toEqual(await oracle("retry_delay"));
    await recordEvents(env.db.pool, [rolledEvent(hour + 90_000, { latencyMs: 70 })]);
    await rollUp(env.context());
    await Promise.all([rollUp(env.context()), rollUp(env.context())]);
    expect(await rolled("first_answer")).toEqual(await oracle("first_answer"));
    expect(await rolled("retry_delay")).toEqual(await oracle("retry_delay"));
  });

  it("an hour is the sum of its minutes, also when its minutes are rolled up at once or anew", async () => {
    await mixedHour();
    const sums = (unit: string) =>
      env.rows(
        "select measure, client, bin, sum(count)::int as count from onceboard.metric_bins where unit = $1 and bucket < $2 group by 1, 2, 3 order by 1, 2, 3",
        unit,
        new Date(hour + HOUR),
      );
    await Promise.all([rollUp(env.context()), rollUp(env.context())]);
    expect(await sums("hour")).toEqual(await sums("minute"));
    await recordEvents(env.db.pool, [
      rolledEvent(hour + 90_000, { latencyMs: 70 }),
      rolledEvent(hour + 600_000, { latencyMs: 70 }),
    ]);
    const minute = (at: number) =>
      env.rows("select onceboard.roll_up($1, $2, $3, 150)", TENANT, new Date(at), new Date(at + MINUTE));
    await Promise.all([minute(hour + MINUTE), minute(hour + 10 * MINUTE)]);
    const hours = await sums("hour");
    expect(hours.length).toBeGreaterThan(10);
    expect(hours).toEqual(await sums("minute"));
  });

  it("reuse too fast counts the same in minutes and in the clients' report cards", async () => {
    await mixedHour();
    await rollUp(env.context());
    const fast = await env.rows(
      "select client, sum(count)::int as count from onceboard.metric_bins where unit = 'minute' and measure = 'retry_delay' and bin = 0 group by 1 order by 1",
    );
    expect(fast.length).toBeGreaterThan(1);
    expect(
      await env.rows(
        "select client, sum(count)::int as count from onceboard.metric_clients where measure = 'fast' group by 1 order by 1",
      ),
    ).toEqual(fast);
  });

  it("minutes say whether they have bins, and old ones are purged", async () => {
    await mixedHour();
    await rollUp(env.context());
    const [known] = await env.rows(
      "select count(*) filter (where binned)::int as binned, count(*) filter (where not binned)::int as before from onceboard.metric_buckets where bucket < $1",
      new Date(hour + 30 * MINUTE),
    );
    expect(known).toEqual({ binned: 30, before: 1 });
    await env.rows("update onceboard.metric_bins set bucket = bucket - interval '40 days'");
    await purgeMetrics(env.db.pool, TENANT, 31, 10_000);
    expect(await env.rows("select 1 from onceboard.metric_bins")).toHaveLength(0);
  });
});
