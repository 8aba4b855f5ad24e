import { describe, expect, it } from "vitest";
import {
  bucketStarts,
  chartWindow,
  type ChartWindow,
  firstMinutes,
  minuteWindow,
  movedWindow,
} from "@/domain/metrics/chart-window";
import { METRIC_FILTERS } from "@/domain/lists/filters";
import { parseMetricFilters } from "../filters/parsers";
import { searchWriter } from "../filters/search";
import { findIncidents } from "./incidents";
import { buildMeasures, type AnswerSample } from "./measures";
import { gapsOf } from "./gaps";
import { withNow } from "./measures-now";
import { metricsVerdict } from "./metrics-verdict";
import type { MeasureChart, MeasureName, MetricsView } from "../views/metrics";

const NOW = "2026-11-19T14:43:20.000000Z";
const at = (clock: string): string => `2026-11-19T${clock}:00.000Z`;

describe("CHART-3 the time of the charts", () => {
  it("cuts every range into at most 90 whole buckets that end now", () => {
    const cut = (["1h", "6h", "24h", "7d", "30d"] as const).map((range) => chartWindow({ range }, NOW));
    expect(cut.map(({ bucketSeconds, buckets }) => [bucketSeconds, buckets])).toEqual([
      [60, 60],
      [300, 72],
      [1_200, 72],
      [7_200, 84],
      [28_800, 90],
    ]);
    for (const window of cut) {
      expect(Date.parse(window.to)).toBeGreaterThanOrEqual(Date.parse(NOW));
      expect(Date.parse(window.to) - Date.parse(NOW)).toBeLessThanOrEqual(window.bucketSeconds * 1_000);
      expect(bucketStarts(window)).toHaveLength(window.buckets);
      expect(bucketStarts(window)[0]).toBe(window.from);
    }
  });
  it("takes whole buckets around a time of its own, never the future, never less than five minutes", () => {
    const window = chartWindow({ range: "6h", from: at("14:02"), to: at("14:09") }, NOW);
    expect(window).toEqual({ from: at("14:02"), to: at("14:09"), bucketSeconds: 60, buckets: 7 });
    expect(chartWindow({ range: "6h", from: at("14:02"), to: "2027-01-01T00:00:00Z" }, NOW).to).toBe(at("14:44"));
    expect(chartWindow({ range: "6h", from: at("14:08"), to: at("14:09") }, NOW).buckets).toBe(5);
    const long = chartWindow({ range: "6h", from: "1999-01-01T00:00:00Z" }, NOW);
    expect(long.buckets).toBeLessThanOrEqual(90);
  });
  it("moves by halves and zooms around its middle", () => {
    const window = chartWindow({ range: "6h", from: at("12:00"), to: at("14:00") }, NOW);
    expect(movedWindow(window, -0.5)).toEqual({ from: at("11:00"), to: at("13:00") });
    expect(movedWindow(window, 0, 0.5)).toEqual({ from: at("12:30"), to: at("13:30") });
    expect(movedWindow(window, 0, 2)).toEqual({ from: at("11:00"), to: at("15:00") });
  });
  it("reads its address and writes it again; a time without a zone is UTC", () => {
    const { filters, problems } = parseMetricFilters({ from: "2026-11-19T12:00", to: at("14:00"), group: "client" });
    expect(problems).toEqual([]);
    expect(filters).toEqual({ range: "6h", from: at("12:00"), to: at("14:00"), group: "client" });
    const again = Object.fromEntries(new URLSearchParams(searchWriter(METRIC_FILTERS)(filters)));
    expect(parseMetricFilters(again).filters).toEqual(filters);
    const wrong = parseMetricFilters({ from: at("14:00"), to: at("12:00"), group: "tenant", range: "2h" });
    expect(wrong.filters).toEqual({ range: "6h", group: undefined });
    expect(wrong.problems.map(({ name }) => name).sort()).toEqual(["from", "group", "range"]);
  });
});

const WINDOW = chartWindow({ range: "6h", from: at("14:00"), to: at("14:05") }, NOW);
const answer = (clock: string, outcome: string, count: number, more: Partial<AnswerSample> = {}): AnswerSample => ({
  bucket: at(clock),
  outcome,
  count,
  delaySum: 0,
  delayCount: 0,
  ...more,
});
const build = (answers: readonly AnswerSample[], group?: "client") => {
  const charts = buildMeasures({
    window: WINDOW,
    group,
    answers,
    gauges: [{ bucket: at("14:02"), name: "outbox_oldest_seconds", value: 7 }],
    distances: [],
    charges: ["payments.create"],
    suppressed: [],
    measured: [at("14:00"), at("14:01"), at("14:02"), at("14:04")],
  });
  return (name: MeasureName) => charts.find((chart) => chart.name === name);
};

describe("CHART-2 measures from roll-ups", () => {
  it("draws a minute without answers as 0, and one that was never rolled up as a gap", () => {
    const chart = build([answer("14:00", "executed", 3)]);
    expect(chart("executed")?.series[0]?.values).toEqual([3, 0, 0, null, 0]);
    expect(chart("executed")?.series[0]).toMatchObject({ total: 3 });
    expect(chart("oldest_outbox")?.series[0]?.values).toEqual([null, null, 7_000, null, null]);
    expect(chart("oldest_outbox")?.threshold?.value).toBe(60_000);
    expect(chart("reuse_distance")).toBeUndefined();
  });
  it("has no ratio where nothing was answered, and counts new unknown as no answer of its own", () => {
    const chart = build([
      answer("14:00", "executed", 3),
      answer("14:00", "replayed", 1),
      answer("14:00", "conflict", 1),
      answer("14:00", "unknown_entered", 5),
    ]);
    expect(chart("replay_ratio")?.series[0]?.values).toEqual([0.25, null, null, null, null]);
    expect(chart("conflict_rate")?.series[0]).toMatchObject({ values: [0.2, null, null, null, null], total: 0.2 });
  });
  it("compares first answers with replays, and says the mean of delays", () => {
    const chart = build([
      answer("14:01", "executed", 1, { p95: 240 }),
      answer("14:01", "replayed", 2, { p95: 3, delaySum: 900, delayCount: 2 }),
    ]);
    expect(chart("latency")?.series.map(({ label, total }) => [label, total])).toEqual([
      ["first answer", 240],
      ["replay", 3],
    ]);
    expect(chart("retry_delay")?.series[0]?.values).toEqual([null, 450, null, null, null]);
  });
  it("orders groups by their answers, the rest last, each under its own place", () => {
    const chart = build(
      [
        answer("14:00", "executed", 1, { name: "b" }),
        answer("14:00", "executed", 9, { name: "a" }),
        answer("14:00", "executed", 20),
      ],
      "client",
    );
    expect(chart("executed")?.series.map(({ label, slot, total }) => [label, slot, total])).toEqual([
      ["a", 1, 9],
      ["b", 2, 1],
      ["the rest", 6, 20],
    ]);
    expect(chart("latency")).toBeUndefined();
    expect(chart("first_answer")?.series).toHaveLength(3);
  });
  it("divides what was not charged twice like the answers, and says all of it", () => {
    const sample = (name: string | undefined, sumMinor: string, currency = "EUR") => ({
      bucket: at("14:00"),
      name,
      currency,
      count: 1,
      sumMinor,
    });
    const charts = buildMeasures({
      window: WINDOW,
      group: "client",
      answers: [answer("14:00", "replayed", 9, { name: "a" }), answer("14:00", "replayed", 1, { name: "" })],
      gauges: [],
      distances: [],
      charges: ["payments.create"],
      suppressed: [sample("a", "9007199254740993"), sample("", "5"), sample(undefined, "2"), sample("", "7", "JPY")],
      measured: [at("14:00")],
    });
    const shown = charts.filter(({ name }) => name === "suppressed");
    expect(shown.map(({ series }) => series.map(({ label, slot, exact }) => [label, slot, exact?.total]))).toEqual([
      [
        ["a", 1, "9007199254740993"],
        ["no client", 2, "5"],
        ["the rest", 6, "2"],
      ],
      [["no client", 2, "7"]],
    ]);
    expect(shown[0]?.note).toContain("Older roll-ups kept no client.");
    const view: MetricsView = {
      at: NOW,
      window: WINDOW,
      times: [],
      group: "client",
      charts,
      rolledUpMs: 1,
      unmeasured: 0,
    };
    expect(metricsVerdict(view)[1]?.text).toBe("Not charged twice: €90,071,992,547,410.00, ¥7.");
  });
  it("says what stood out, in one sentence each", () => {
    const say = (answers: readonly AnswerSample[]) => {
      const charts = buildMeasures({
        window: WINDOW,
        answers,
        gauges: [],
        distances: [],
        charges: ["payments.create"],
        suppressed: [],
        measured: [],
      });
      const view: MetricsView = { at: NOW, window: WINDOW, times: [], charts, rolledUpMs: 1, unmeasured: 0 };
      return metricsVerdict(view).map((clause) => clause.text);
    };
    expect(say([])).toEqual(["No request was answered in this time."]);
    expect(say([answer("14:00", "executed", 1_200), answer("14:00", "unknown_entered", 1)])).toEqual([
      "1,200 created, 0 replayed.",
      "1 became unknown.",
    ]);
  });
});

describe("TRUTH-2 what is now", () => {
  const open = { inProgress: 2, unknown: 3, stale: 1, deadLetters: 16, oldestOutboxMs: 7_000, oldestRunningMs: 90_000 };
  const over = (window: ChartWindow, answers: readonly AnswerSample[], group?: "client") =>
    buildMeasures({
      window,
      group,
      answers,
      gauges: [],
      distances: [],
      charges: [],
      suppressed: [],
      measured: [window.from],
    });
  const hour = chartWindow({ range: "6h", from: at("12:00"), to: at("14:00") }, NOW);
  const said = (charts: readonly MeasureChart[], name: MeasureName) =>
    charts.find((chart) => chart.name === name)?.series.map(({ label, now }) => [label, now]);
  it("is the last whole minute, however wide a point is", () => {
    const latest = over(minuteWindow(at("14:01")), [answer("14:01", "executed", 12), answer("14:01", "replayed", 4)]);
    const charts = withNow(over(hour, [answer("12:00", "executed", 700)]), latest, open, true);
    expect(said(charts, "executed")).toEqual([["all", 12]]);
    expect(said(charts, "conflict")).toEqual([["all", 0]]);
    expect(said(charts, "replay_ratio")).toEqual([["all", 0.25]]);
  });
  it("is not known where no minute was rolled up of late, or where a group may be among the rest", () => {
    expect(said(withNow(over(hour, []), undefined, open, true), "executed")).toEqual([["all", null]]);
    const latest = over(minuteWindow(at("14:01")), [answer("14:01", "executed", 12, { name: "a" })], "client");
    const both = [answer("12:00", "executed", 9, { name: "a" }), answer("12:00", "executed", 7, { name: "b" })];
    expect(said(withNow(over(hour, both, "client"), latest, open, true), "executed")).toEqual([
      ["a", 12],
      ["b", null],
    ]);
  });
  it("is of what is open what the navigation counts", () => {
    const charts = withNow(over(hour, []), undefined, open, true);
    expect(said(charts, "dead_letters")).toEqual([["all", 16]]);
    expect(said(charts, "open")).toEqual([["all", 6]]);
    expect(said(charts, "oldest_outbox")).toEqual([["all", 7_000]]);
    expect(said(charts, "oldest_inbox")).toEqual([["all", null]]);
    expect(said(charts, "oldest_in_progress")).toEqual([["all", 90_000]]);
  });
});

describe("CHART-2 gaps, said once", () => {
  const window = chartWindow({ range: "1h", from: at("14:00"), to: at("14:43") }, NOW);
  const minutes = (...clocks: readonly string[]) => clocks.map(at);
  it("are points that are over and have no data; the one that runs is none of them", () => {
    const all = bucketStarts(window);
    expect(gapsOf(window, all.slice(0, -1), NOW)).toEqual({ unmeasured: 0, measuredFrom: undefined });
    expect(gapsOf(window, all.slice(0, -2), NOW).unmeasured).toBe(0);
    expect(
      gapsOf(
        window,
        all.filter((one) => one !== at("14:20")),
        NOW,
      ).unmeasured,
    ).toBe(1);
  });
  it("that all lie before the first point with data are one time", () => {
    expect(gapsOf(window, bucketStarts(window).slice(30), NOW)).toEqual({ unmeasured: 30, measuredFrom: at("14:30") });
    expect(gapsOf(window, minutes("14:30"), NOW).measuredFrom).toBeUndefined();
    expect(gapsOf(window, [], NOW).measuredFrom).toBeUndefined();
  });
  it("a range that nobody chose begins with the first minute that was measured", () => {
    expect(firstMinutes({ range: "6h" }, NOW, at("13:00"))).toEqual({ range: "6h", from: at("13:00") });
    expect(firstMinutes({ range: "6h" }, NOW, "2026-11-18T14:00:00.000Z")).toBeUndefined();
    expect(firstMinutes({ range: "6h" }, NOW, undefined)).toBeUndefined();
    expect(firstMinutes({ range: "6h", from: at("14:00") }, NOW, at("14:10"))).toBeUndefined();
  });
});

describe("CHART-5 incidents", () => {
  const minute = (clock: string, unknown: number, outboxSeconds?: number) => ({
    minute: at(clock),
    unknown,
    outboxSeconds,
  });
  it("is a stretch of two minutes or more; a single one is a hiccup", () => {
    expect(findIncidents([minute("14:02", 3)])).toEqual([]);
    expect(findIncidents([minute("14:03", 1), minute("14:02", 3)])).toEqual([
      { from: at("14:02"), to: at("14:04"), label: "new unknown" },
    ]);
  });
  it("goes on over two quiet minutes, not over three", () => {
    const found = findIncidents([minute("14:02", 1), minute("14:05", 1), minute("14:09", 1), minute("14:10", 1)]);
    expect(found.map(({ from, to }) => [from, to])).toEqual([
      [at("14:02"), at("14:06")],
      [at("14:09"), at("14:11")],
    ]);
  });
  it("tells a late outbox from new unknown, by the value of its alert", () => {
    const found = findIncidents([
      minute("14:02", 1, 61),
      minute("14:03", 1, 120),
      minute("14:04", 0, 60),
      minute("14:05", 0),
    ]);
    expect(found.map(({ label, to }) => [label, to])).toEqual([
      ["new unknown", at("14:04")],
      ["outbox late", at("14:04")],
    ]);
  });
});
