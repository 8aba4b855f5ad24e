import { describe, expect, it } from "vitest";
import { BIN_LIMITS_MS, binCount, type BinMeasure } from "@/domain/metrics/bins";
import { binLabel, buildDistribution, distributionWords, placeAmongBins, shadeOf } from "./distribution";
import type { DistributionView } from "../views/heatmap";

const TIMES = ["2026-11-19T14:00:00.000Z", "2026-11-19T14:05:00.000Z"];
const view = (measure: BinMeasure, ...columns: (readonly number[] | null)[]): DistributionView => ({
  measure,
  window: { from: TIMES[0] ?? "", to: "2026-11-19T14:10:00.000Z", bucketSeconds: 300, buckets: 2 },
  times: TIMES,
  columns,
  totals: Array.from({ length: binCount(measure) }, (_, bin) =>
    columns.reduce((sum, column) => sum + (column?.[bin] ?? 0), 0),
  ),
  unmeasured: columns.filter((column) => column === null).length,
});
const bins = (...counts: readonly number[]): readonly number[] =>
  Array.from({ length: 10 }, (_, bin) => counts[bin] ?? 0);

describe("DIST-2 words of a distribution", () => {
  it("names the limits under which half and most lie", () => {
    expect(distributionWords(view("first_answer", bins(0, 0, 0, 60, 35, 5), bins()))).toBe(
      "At least half of first answers took less than 200 ms, at least 95 % less than 400 ms.",
    );
    expect(distributionWords(view("first_answer", bins(0, 0, 0, 99, 1), bins()))).toBe(
      "At least 95 % of first answers took less than 200 ms.",
    );
    expect(distributionWords(view("retry_delay", bins(0, 12, 8, 0, 4), bins()))).toBe(
      "At least half of retries came within 500 ms, at least 95 % within 1 min.",
    );
  });

  it("says nothing of few, and names no limit of what lies beyond all of them", () => {
    expect(distributionWords(view("first_answer", bins(10), bins(9)))).toBe("");
    expect(distributionWords(view("first_answer", bins(90, 0, 0, 0, 0, 0, 0, 0, 10), bins()))).toBe(
      "10 of 100 first answers took 3.2 s or longer.",
    );
    expect(distributionWords(view("retry_delay", bins(10, 0, 0, 0, 0, 0, 0, 0, 10), bins()))).toContain(
      "10 of 20 retries came after 2 h or later.",
    );
  });

  it("says where the provider's limit lies, of first answers alone", () => {
    const limited = (measure: BinMeasure, providerLimitMs: number) =>
      distributionWords(
        buildDistribution({
          ...view(measure),
          ...{ minutes: [{ slot: 0, minutes: 5 }], bins: [], at: TIMES[1] ?? "", providerLimitMs },
        }),
      );
    expect(limited("first_answer", 1_000)).toContain(
      "The line is the limit of the provider: this process waits 1 s for it",
    );
    expect(limited("first_answer", 10_000)).toContain(
      "The limit of the provider lies in “over 3.2 s”: this process waits 10 s for it at the most.",
    );
    expect(limited("retry_delay", 10_000)).not.toContain("provider");
    const places = [0, 12.5, 25, 35.36, 50, 800, 1_131, 3_199.9, 3_200, 10_000].map((ms) => {
      const place = placeAmongBins("first_answer", ms);
      return place === undefined ? place : Math.round(place * 100) / 100;
    });
    expect(places).toEqual([0, 0.5, 1, 1.5, 2, 6, 6.5, 8, undefined, undefined]);
  });

  it("counts those that were never answered apart", () => {
    const words = distributionWords(
      view("first_answer", bins(50, 0, 0, 0, 0, 0, 0, 0, 0, 3), bins(50, 0, 0, 0, 0, 0, 0, 0, 0, 45)),
    );
    expect(words).toBe(
      "At least 95 % of first answers took less than 25 ms. 48 requests had no answer, most at 14:05 UTC: 45.",
    );
    expect(distributionWords(view("first_answer", bins(0, 0, 0, 0, 0, 0, 0, 0, 0, 1), bins()))).toBe(
      "1 request had no answer, at 14:00 UTC.",
    );
  });

  it("names when only where more than half of them came at once", () => {
    const spread = (count: number) => bins(0, 0, 0, 0, 0, 0, 0, 0, 0, count);
    const three = { ...view("first_answer", spread(1), spread(1)), columns: [spread(1), spread(1), spread(1)] };
    expect(distributionWords({ ...three, totals: spread(3) })).toBe("3 requests had no answer.");
  });

  it("tells nothing from no data", () => {
    expect(distributionWords(view("first_answer", null, null))).toContain(
      "No minute of this time has a distribution yet.",
    );
    expect(distributionWords(view("first_answer", bins(), bins()))).toBe("No request was answered for the first time.");
    expect(distributionWords(view("retry_delay", bins(), null))).toBe(
      "No key was used again. No data for 1 of 2 columns.",
    );
  });

  it("every bin has a label of its own", () => {
    expect(Array.from({ length: 10 }, (_, bin) => binLabel("first_answer", bin))).toEqual([
      ...["under 25 ms", "25 to 50 ms", "50 to 100 ms", "100 to 200 ms", "200 to 400 ms", "400 to 800 ms"],
      ...["800 ms to 1.6 s", "1.6 to 3.2 s", "over 3.2 s", "no answer"],
    ]);
    expect(Array.from({ length: 9 }, (_, bin) => binLabel("retry_delay", bin))).toEqual([
      ...["under 100 ms", "100 to 500 ms", "500 ms to 2 s", "2 to 10 s", "10 s to 1 min", "1 to 5 min", "5 to 30 min"],
      ...["30 min to 2 h", "over 2 h"],
    ]);
    expect(
      BIN_LIMITS_MS.first_answer.every((limit, index, all) => index === 0 || limit === (all[index - 1] ?? 0) * 2),
    ).toBe(true);
  });

  it("shades are shares of the column", () => {
    expect([0, 1, 4, 5, 19, 20, 50, 100, 250, 1_000].map((count) => shadeOf(count, 1_000))).toEqual([
      0, 1, 1, 2, 2, 3, 4, 5, 6, 6,
    ]);
    expect(shadeOf(3, 0)).toBe(0);
  });
});
