import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import { purgeMetrics } from "@/db/retention/purge";
import { parseMetricFilters } from "@/presentation/filters/parsers";
import { readMetrics } from "@/console/read/deployment/read-metrics";
import { rolledEvent, emptyRollUps } from "@/console/testing/roll-up-world";
import { rollUp } from "./roll-up";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const VIEWER = { kind: "operator", id: "op-1", name: "Vic", role: "viewer" } as const;
let env: EngineTestEnvironment;
/** The hour before the one that runs: closed, so it becomes rows of an hour too. */
let hour: number;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  hour = Math.floor(Date.now() / HOUR) * HOUR - HOUR;
  await emptyRollUps(env, hour);
});

async function operation(minor: bigint | null, currency: string | null): Promise<string> {
  const id = await env.operation();
  await env.rows(
    "update onceboard.idempotency_requests set amount_minor = $2, currency = $3 where operation_id = $1",
    id,
    minor,
    currency,
  );
  return id;
}
const suppressedCounts = (operationId: string, minute: number, over: Partial<EventInsert> = {}): EventInsert =>
  rolledEvent(hour + minute * MINUTE, {
    ...{ operationId, outcome: "replayed", attempt: undefined, status: 201, latencyMs: 2 },
    ...over,
    type: over.type ?? over.outcome ?? "replayed",
  });
/** A plain look at what the roll-up says, over the events of the hour. */
const plain = () =>
  env.rows(
    `select e.operation, r.currency, count(*)::int as count, sum(r.amount_minor)::text as sum
     from onceboard.idempotency_events e, onceboard.idempotency_requests r
     where r.operation_id = e.operation_id and e.outcome = 'replayed' and e.status < 300 and r.amount_minor > 0 group by 1, 2 order by 1, 2`,
  );
const rolled = (unit: "minute" | "hour") =>
  env.rows(
    `select operation, currency, sum(count)::int as count, sum(sum_minor)::text as sum
     from onceboard.metric_suppressed where tenant_id = $1 and unit = $2 group by 1, 2 order by 1, 2`,
    TENANT,
    unit,
  );

describe("CHART-6 duplicate charges prevented", () => {
  it("adds up what replays would have cost, per operation and currency, as a plain query does", async () => {
    const large = 99_999_999_999_999n;
    const [pounds, more, euros, free, refund] = [
      await operation(1_250n, "GBP"),
      await operation(large, "GBP"),
      await operation(700n, "EUR"),
      await operation(null, null),
      await operation(300n, "GBP"),
    ];
    await recordEvents(env.db.pool, [
      ...[1, 1, 2, 59].map((minute) => suppressedCounts(pounds, minute)),
      ...Array.from({ length: 200 }, () => suppressedCounts(more, 3)),
      suppressedCounts(euros, 30),
      suppressedCounts(free, 4),
      suppressedCounts(refund, 5, { operation: "refunds.create" }),
      suppressedCounts(pounds, 1, { outcome: "executed", type: "executed" }),
      suppressedCounts(pounds, 1, { outcome: "in_progress", status: 409 }),
      suppressedCounts(pounds, 1, { outcome: "unknown", status: 409 }),
      suppressedCounts(euros, 6, { status: 402 }),
    ]);
    await rollUp(env.context());
    const all = await plain();
    expect(all).toMatchObject([
      { operation: "payments.create", currency: "EUR", count: 1, sum: "700" },
      // Beyond what a number of JavaScript holds exactly.
      { operation: "payments.create", currency: "GBP", count: 204, sum: String(200n * large + 5_000n) },
      { operation: "refunds.create", currency: "GBP", count: 1, sum: "300" },
    ]);
    expect(await rolled("minute")).toEqual(all);
    expect(await rolled("hour")).toEqual(all);
    const from = new Date(hour).toISOString();
    for (const search of [{ from, to: new Date(hour + HOUR).toISOString() }, { range: "7d" }]) {
      const view = await readMetrics(env.context({ actor: VIEWER }), parseMetricFilters(search).filters);
      const shown = view.charts.filter(({ name }) => name === "suppressed");
      expect(shown.map(({ currency, series }) => [currency, series[0]?.exact?.total])).toEqual([
        ["GBP", String(200n * large + 5_000n)],
        ["EUR", "700"],
      ]);
    }
  });

  it("keeps them by client too, each under the client of the replay", async () => {
    const [one, other] = [await operation(1_000n, "GBP"), await operation(50n, "EUR")];
    await recordEvents(env.db.pool, [
      suppressedCounts(one, 1),
      suppressedCounts(one, 2, { client: "cron" }),
      suppressedCounts(one, 3, { client: "cron" }),
      suppressedCounts(other, 3, { client: "cron" }),
    ]);
    await rollUp(env.context());
    for (const range of ["6h", "7d"]) {
      const { charts } = await readMetrics(
        env.context({ actor: VIEWER }),
        parseMetricFilters({ range, group: "client" }).filters,
      );
      const shown = charts.filter(({ name }) => name === "suppressed");
      expect(
        shown.map(({ currency, series }) => [currency, series.map((line) => [line.label, line.exact?.total])]),
      ).toEqual([
        [
          "GBP",
          [
            ["cron", "2000"],
            ["till", "1000"],
          ],
        ],
        ["EUR", [["cron", "50"]]],
      ]);
    }
  });

  it("says the same after a second run and a late event, and is emptied with its minutes", async () => {
    const id = await operation(500n, "GBP");
    await recordEvents(env.db.pool, [suppressedCounts(id, 10)]);
    await rollUp(env.context());
    await recordEvents(env.db.pool, [suppressedCounts(id, 10), suppressedCounts(id, 11)]);
    await rollUp(env.context());
    await rollUp(env.context());
    expect(await rolled("minute")).toEqual(await plain());
    expect(await rolled("hour")).toMatchObject([{ count: 3, sum: "1500" }]);
    await env.rows("update onceboard.metric_suppressed set bucket = bucket - interval '40 days'");
    await purgeMetrics(env.db.pool, TENANT, 31, 1);
    expect(await rolled("minute")).toMatchObject([{ count: 1 }]);
    await purgeMetrics(env.db.pool, TENANT, 31, 10);
    expect(await rolled("minute")).toEqual([]);
    expect(await rolled("hour")).toMatchObject([{ count: 3 }]);
  });
});
