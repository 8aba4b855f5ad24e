import { describe, expect, it } from "vitest";
import { axisText, axisTimes, bucketText, gridOf, tickText } from "./axis";

const starts = (from: string, stepMs: number, size: number): readonly string[] =>
  Array.from({ length: size }, (_, index) => new Date(Date.parse(from) + index * stepMs).toISOString());

describe("CHART-7 the axes of the charts", () => {
  it("says the clock within a day and the date where it covers more", () => {
    const hour = starts("2026-11-19T13:00:00Z", 60_000, 60);
    const clocks = axisTimes(hour, 5);
    expect(clocks.map((iso) => axisText(iso, clocks, "utc"))).toEqual(["13:00", "13:15", "13:30", "13:45"]);
    const week = starts("2026-11-12T00:00:00Z", 7_200_000, 84);
    const days = axisTimes(week, 5);
    expect(axisText(days[0] ?? "", days, "utc")).toMatch(/^\d+ Nov$/);
    const night = starts("2026-11-18T16:00:00Z", 1_200_000, 72);
    const both = axisTimes(night, 5);
    expect(axisText(both[0] ?? "", both, "utc")).toMatch(/^18 Nov, \d\d:\d\d$/);
    expect(bucketText(week[1] ?? "", week, "utc")).toBe("12 Nov, 02:00");
    expect(bucketText(hour[1] ?? "", hour, "utc")).toBe("13:01");
  });
  it("has round labels on the clock of the zone, also where it is half an hour off and where summer time begins", () => {
    const day = starts("2026-11-19T00:00:00Z", 3_600_000, 24);
    const labels = axisTimes(day, 5, "Asia/Kolkata");
    expect(labels.map((iso) => axisText(iso, labels, "Asia/Kolkata").slice(-5))).toEqual([
      "06:00",
      "12:00",
      "18:00",
      "00:00",
    ]);
    const spring = starts("2026-03-28T23:00:00Z", 3_600_000, 23);
    const clocks = axisTimes(spring, 6, "Europe/Berlin");
    expect(clocks.map((iso) => axisText(iso, clocks, "Europe/Berlin").slice(-5))).toEqual([
      "00:00",
      "06:00",
      "12:00",
      "18:00",
    ]);
  });
  it("draws at most three grid lines at round values", () => {
    expect(gridOf(910, "count")).toEqual([0, 500, 1_000]);
    expect(gridOf(1, "count")).toEqual([0, 1]);
    expect(gridOf(4_700_000, "ms").map((value) => tickText(value, "ms"))).toEqual(["0", "30 min", "1 h", "1.5 h"]);
    expect(gridOf(0.28, "share").map((value) => tickText(value, "share"))).toEqual(["0", "10 %", "20 %", "30 %"]);
    for (const highest of [1, 7, 39, 61, 999, 12_345]) expect(gridOf(highest, "count").length).toBeLessThanOrEqual(4);
  });
});
