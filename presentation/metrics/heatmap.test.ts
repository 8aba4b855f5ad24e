import { describe, expect, it } from "vitest";
import { heatCellStart, heatWindow, HEAT_RANGES } from "@/domain/metrics/heatmap";
import { heatStep, isFarMore } from "./heatmap";
import { changeWords, heatmapWords } from "./heatmap-verdict";
import type { HeatFacts } from "../views/heatmap";

const FACTS: HeatFacts = {
  ...{ measure: "replayed", range: "6h", compare: "last-week", total: 4_221, compared: 3_138, clients: 6 },
  ...{ columns: 24, known: 24, whole: 24, comparable: 24 },
  peak: { from: "2026-11-19T14:00:00.000Z", more: 644 },
  first: { client: "till-web", total: 1_651 },
};
const said = (changes: Partial<HeatFacts> = {}) => heatmapWords({ ...FACTS, ...changes });

describe("HEAT-3 sentences of the map", () => {
  it("says the change and where most of it came", () => {
    expect(said().headline).toEqual([
      "4,221 replays in six hours, 35 % more than last week.",
      "644 of the 1,083 more came at 14:00 UTC.",
    ]);
    expect(said().lede).toBe(
      "A replay is an earlier command answered again: it makes no second charge. Most from till-web: 1,651.",
    );
  });

  it.each([
    ["fewer", { total: 1_569 }, ["1,569 replays in six hours, 50 % fewer than last week."]],
    ["the same", { total: 3_200 }, ["3,200 replays in six hours, about as many as last week."]],
    ["none before", { compared: 0 }, ["4,221 replays in six hours, none last week."]],
    // A week ago the traffic had just begun.
    ["beside few", { compared: 2, peak: undefined }, ["4,221 replays in six hours, 2 last week."]],
    ["nothing to compare with", { compared: undefined, comparable: 0 }, ["4,221 replays in six hours."]],
    ["nothing is compared", { compare: "nothing" as const, compared: undefined }, ["4,221 replays in six hours."]],
    ["one", { total: 1, compared: undefined }, ["1 replay in six hours."]],
    [
      "less than half at once",
      { peak: { from: "", more: 500 } },
      ["4,221 replays in six hours, 35 % more than last week."],
    ],
    [
      "more at once than in all",
      { peak: { from: "", more: 1_084 } },
      ["4,221 replays in six hours, 35 % more than last week."],
    ],
    ["no data", { known: 0, whole: 0, total: 0, compared: undefined }, ["No data for these six hours."]],
    [
      "yesterday",
      { compare: "yesterday" as const, peak: undefined },
      ["4,221 replays in six hours, 35 % more than yesterday."],
    ],
  ])("%s", (_, changes, headline) => {
    expect(said(changes).headline).toEqual(headline);
  });

  it("names gaps, and why nothing is compared", () => {
    const gaps = said({ whole: 20, compared: undefined, comparable: 18 });
    expect(gaps.headline).toEqual(["4,221 replays in six hours.", "No data, or not all of it, for 4 of 24 cells."]);
    expect(gaps.lede).toContain("Not compared with last week as a whole: only 18 of 24 cells have data in both.");
    expect(said({ compared: undefined, comparable: 0 }).lede).toContain("No data to compare with for last week.");
    expect(said({ compared: undefined, comparable: 0, compare: "nothing" }).lede).not.toContain("compare");
  });

  it("names the day of a cell where hours are not enough", () => {
    expect(said({ range: "7d" }).headline[1]).toBe("644 of the 1,083 more came at 19 Nov 2026, 14:00 UTC.");
  });

  it.each([
    [10, undefined, ""],
    [10, 0, "from 0"],
    [0, 0, "same"],
    [100, 98, "same"],
    [145, 100, "+45 %"],
    [55, 100, "−45 %"],
  ])("a change from %s beside %s is %s", (total, compared, words) => {
    expect(changeWords(total, compared)).toBe(words);
  });
});

describe("HEAT-1 cells", () => {
  it("have six fixed steps, none for none", () => {
    expect([0, 1, 9, 10, 24, 25, 50, 100, 199, 200, 9_999].map(heatStep)).toEqual([0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6]);
  });

  it.each([
    [{ count: 30, compared: 12 }, true],
    [{ count: 29, compared: 0 }, false],
    [{ count: 30, compared: 13 }, false],
    [{ count: 30, compared: 0 }, true],
    [{ count: 300 }, false],
    [{ count: null, compared: 1 }, false],
  ])("%j has its corner cut: %s", (cell, cut) => {
    expect(isFarMore(cell)).toBe(cut);
  });

  it.each(HEAT_RANGES)("%s: whole cells up to now, whose starts are those of times in them", (range) => {
    const now = "2026-11-19T14:43:20.123456Z";
    const { from, to, bucketSeconds, buckets } = heatWindow(range, now);
    expect(Date.parse(to) - Date.parse(from)).toBe(bucketSeconds * buckets * 1_000);
    expect(Date.parse(to)).toBeGreaterThanOrEqual(Date.parse(now));
    expect(Date.parse(to) - Date.parse(now)).toBeLessThan(bucketSeconds * 1_000);
    expect(heatCellStart(range, from)).toBe(from);
    expect(heatCellStart(range, now)).toBe(new Date(Date.parse(to) - bucketSeconds * 1_000).toISOString());
  });
});
