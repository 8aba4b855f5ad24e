import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordStatements, type Statement } from "@/db/testing/record-statements";
import { parseMetricFilters } from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import type { MeasureName } from "@/presentation/views/metrics";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { readMetrics } from "./read-metrics";
import { readOverview } from "./read-overview";

let desk: Desk;
let taken: () => Statement[];

beforeAll(async () => {
  desk = await openDesk();
  // Before the first read: clients are listened to as they connect.
  taken = recordStatements(desk.context().db);
});
afterAll(() => desk.close());
beforeEach(async () => {
  for (const table of ["minutes", "hours", "gauges", "buckets", "clients"])
    await desk.rows(`delete from onceboard.metric_${table}`);
});

interface Rolled {
  readonly ago: string;
  readonly outcome: string;
  readonly count: number;
  readonly client?: string;
  readonly operation?: string;
  readonly p95?: number;
  readonly tenant?: string;
}

async function rolled(table: "minutes" | "hours", { ago, outcome, count, ...more }: Rolled): Promise<void> {
  const unit = table === "minutes" ? "minute" : "hour";
  const { tenant = "acme", operation = "payments.create", client = "till-web", p95 = null } = more;
  await desk.rows(
    `insert into onceboard.metric_${table} (tenant_id, bucket, operation, client, outcome, count, latency_p95_ms, delay_sum_ms, delay_count)
values ($1, date_trunc('${unit}', now() - $2::interval, 'UTC'), $3, $4, $5, $6, $7, 600, 2)`,
    tenant,
    ago,
    operation,
    client,
    outcome,
    count,
    p95,
  );
  await desk.rows(
    `insert into onceboard.metric_buckets (tenant_id, bucket, computed_at)
values ($1, date_trunc('minute', now() - $2::interval, 'UTC'), now()) on conflict do nothing`,
    tenant,
    ago,
  );
}

async function gauge(name: string, ago: string, value: number): Promise<void> {
  await desk.rows(
    `insert into onceboard.metric_gauges (tenant_id, bucket, name, value)
values ('acme', date_trunc('minute', now() - $1::interval, 'UTC'), $2, $3)`,
    ago,
    name,
    value,
  );
}

async function read(search: SearchInput) {
  const view = await readMetrics(desk.context("viewer"), parseMetricFilters(search).filters);
  const chart = (name: MeasureName) => view.charts.find((each) => each.name === name);
  return { view, chart, total: (name: MeasureName) => chart(name)?.series.map(({ label, total }) => [label, total]) };
}

describe("CHART-1 metrics", () => {
  it("adds minutes up over operations and clients, leaves out console actions and other tenants", async () => {
    await rolled("minutes", { ago: "10 min", outcome: "executed", count: 3, p95: 240 });
    await rolled("minutes", { ago: "10 min", outcome: "executed", count: 2, client: "cron", p95: 900 });
    await rolled("minutes", { ago: "10 min", outcome: "replayed", count: 5, p95: 4 });
    await rolled("minutes", { ago: "10 min", outcome: "executed", count: 7, operation: "admin.requeue" });
    await rolled("minutes", { ago: "10 min", outcome: "executed", count: 90, tenant: "globex" });
    const { view, chart, total } = await read({ range: "1h" });
    expect(total("executed")).toEqual([["all", 5]]);
    expect(total("replay_ratio")).toEqual([["all", 0.5]]);
    expect(total("latency")).toEqual([
      ["first answer", 900],
      ["replay", 4],
    ]);
    expect(chart("retry_delay")?.series[0]?.total).toBe(300);
    expect(view.times).toHaveLength(60);
    // All but that one, and but the last three: one runs, and of the others the roll-up may be on its way.
    expect(view.unmeasured).toBe(56);
    const values = chart("executed")?.series[0]?.values ?? [];
    expect(values.filter((value) => value !== null)).toEqual([5]);
  });

  it("groups by client or operation: five lines, the rest is one", async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7])
      await rolled("minutes", { ago: "5 min", outcome: "executed", count: 10 * n, client: `c${String(n)}` });
    const byClient = await read({ range: "1h", group: "client" });
    expect(byClient.total("executed")).toEqual([
      ["c7", 70],
      ["c6", 60],
      ["c5", 50],
      ["c4", 40],
      ["c3", 30],
      ["the rest", 30],
    ]);
    const byOperation = await read({ range: "1h", group: "operation" });
    expect(byOperation.total("executed")).toEqual([["payments.create", 280]]);
  });

  it("reads a month from hours, and from minutes only what no hour has yet: nothing counts twice", async () => {
    await rolled("hours", { ago: "9 days", outcome: "executed", count: 100 });
    await rolled("hours", { ago: "3 hours", outcome: "executed", count: 40 });
    // Minutes of an hour that is rolled up as a whole.
    await rolled("minutes", { ago: "3 hours", outcome: "executed", count: 40 });
    await rolled("minutes", { ago: "1 min", outcome: "executed", count: 2 });
    expect((await read({ range: "30d" })).total("executed")).toEqual([["all", 142]]);
    expect((await read({ range: "7d" })).total("executed")).toEqual([["all", 42]]);
    expect((await read({ range: "6h" })).total("executed")).toEqual([["all", 42]]);
  });

  it("takes a time of its own", async () => {
    await rolled("minutes", { ago: "50 min", outcome: "conflict", count: 4 });
    await rolled("minutes", { ago: "20 min", outcome: "conflict", count: 1 });
    const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
    expect((await read({ from: at(60), to: at(40) })).total("conflict")).toEqual([["all", 4]]);
  });

  it("shows gauges in the unit of their chart, and how far keys are reused", async () => {
    await gauge("outbox_oldest_seconds", "3 min", 75);
    await gauge("in_progress", "3 min", 2);
    await gauge("unknown", "3 min", 3);
    await desk.rows(
      `insert into onceboard.metric_clients (tenant_id, bucket, client, measure, count, sum)
select 'acme', date_trunc('minute', now() - interval '3 min', 'UTC'), c, 'again', 2, 5000 from unnest('{a,b}'::text[]) c`,
    );
    const { total } = await read({ range: "1h" });
    expect(total("oldest_outbox")).toEqual([["all", 75_000]]);
    expect(total("open")).toEqual([["all", 5]]);
    expect(total("reuse_distance")).toEqual([["all", 2_500]]);
  });

  it("reads roll-ups and the count of the navigation, and nothing else, whatever is asked", async () => {
    const ctx = desk.context("viewer");
    taken();
    for (const search of [{ range: "1h" }, { range: "30d", group: "client" }, { range: "7d", group: "operation" }])
      await readMetrics(ctx, parseMetricFilters(search).filters);
    const statements = taken();
    const charts = statements.filter(({ text }) => !text.includes("outbox_pending"));
    expect(statements.length - charts.length).toBe(3);
    // What stands in quotes is a setting.
    const tables = charts.flatMap(({ text }) =>
      [...text.matchAll(/(?<!')onceboard\.(\w+)/g)].map((match) => match[1] ?? ""),
    );
    expect(tables.length).toBeGreaterThan(0);
    expect([...new Set(tables)].filter((name) => !name.startsWith("metric_"))).toEqual([]);
  });
});

describe("CHART-5 overview", () => {
  it("reads a week from hours, and from minutes only what no hour has yet", async () => {
    await rolled("hours", { ago: "3 hours", outcome: "executed", count: 40, p95: 70 });
    await rolled("minutes", { ago: "3 hours", outcome: "executed", count: 40 });
    await rolled("minutes", { ago: "2 min", outcome: "executed", count: 2, p95: 9 });
    await rolled("minutes", { ago: "3 hours", outcome: "executed", count: 7, operation: "admin.requeue" });
    const total = async (range: "6h" | "7d", name: string) =>
      (await readOverview(desk.context("viewer"), { range })).charts.strips.find((sparkline) => sparkline.name === name)
        ?.total;
    expect(await total("7d", "executed")).toBe(42);
    expect(await total("7d", "first_answer_p95")).toBe(70);
    expect(await total("6h", "executed")).toBe(42);
    await desk.rows("delete from onceboard.metric_minutes where bucket < now() - interval '1 hour'");
    expect(await total("7d", "executed")).toBe(42);
  });

  it("marks a stretch of new unknown, and says how long queues usually wait at this time", async () => {
    for (const ago of ["20 min", "21 min", "22 min"])
      await rolled("minutes", { ago, outcome: "unknown_entered", count: 2 });
    for (const [days, value] of [
      [1, 3],
      [2, 5],
      [3, 700],
    ] as const)
      await gauge("outbox_oldest_seconds", `${String(days)} days`, value);
    const view = await readOverview(desk.context("viewer"), { range: "1h" });
    expect(view.charts.incidents.map(({ label }) => label)).toEqual(["new unknown"]);
    const [incident] = view.charts.incidents;
    expect(Date.parse(incident?.to ?? "") - Date.parse(incident?.from ?? "")).toBe(3 * 60_000);
    expect(view.waiting.find((row) => row.name === "outbox")?.usualMs).toBe(5_000);
    expect(view.waiting.find((row) => row.name === "inbox")?.usualMs).toBeUndefined();
    expect((await readOverview(desk.context("viewer"), { range: "7d" })).charts.incidents).toEqual([]);
  });
});
