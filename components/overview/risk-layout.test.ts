import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RISK_RANGES, riskPoints, riskTime, askedWindow } from "@/domain/metrics/risk";
import { riskSeries } from "@/presentation/risk/series";
import type { RiskMark } from "@/presentation/views/risk";
import { placeMarks, riskLayout, tickLabel } from "./risk-layout";

const NOW = "2026-11-20T14:43:20.123456Z";

describe("the layout of money at risk", () => {
  it("draws the oldest at the bottom, as steps, and no more than the chart", () => {
    const time = riskTime("1h", NOW);
    const view = { points: riskPoints(time), unknown: 0 };
    const changes = [
      { currency: "EUR", step: 0, index: 100, minor: "1000", count: 1 },
      { currency: "EUR", step: 0, index: 120, minor: "-1000", count: -1 },
      { currency: "EUR", step: 1, index: 120, minor: "1000", count: 1 },
    ];
    const [series] = riskSeries(changes, time);
    if (series === undefined) throw new Error("no series");
    const { areas, ticks } = riskLayout(view, series);
    expect(areas.map(({ step }) => step)).toEqual([1, 0]);
    const numbers = areas.flatMap(({ path }) => [...path.matchAll(/-?[\d.]+/g)].map(([text]) => Number(text)));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBe(1_000);
    expect(ticks.map(({ label }) => label)).toEqual(["€5", "€10"]);
  });

  it("has a value at its last point, which is now", () => {
    const time = riskTime("1h", NOW);
    const [series] = riskSeries([{ currency: "EUR", step: 0, index: time.steps, minor: "500", count: 1 }], time);
    if (series === undefined) throw new Error("no series");
    expect(riskLayout({ points: riskPoints(time), unknown: 0 }, series).top).toBe("M0 1000H1000V166.7");
  });

  it.each([
    [2_000_000, "EUR", "€20,000"],
    [5_000, "JPY", "¥5,000"],
    [2_000_000, "CHF", "20,000 CHF"],
    [4_000_000_000, "EUR", "€40 M"],
    [5_000_000_000_000, "USD", "$50 bn"],
    [3, "", "3"],
  ])("%d %s is %s", (minor, currency, label) => {
    expect(tickLabel(minor, currency)).toBe(label);
  });

  it("gives words to marks where there is room, to incidents first", () => {
    const mark = (id: string, minutes: number, more: Partial<RiskMark> = {}): RiskMark => ({
      id,
      kind: "deploy",
      at: new Date(Date.parse(NOW) - minutes * 60_000).toISOString(),
      label: `api 2.${id}.0`,
      ...more,
    });
    const incident = mark("9", 29, { kind: "incident", until: new Date(Date.parse(NOW) - 20 * 60_000).toISOString() });
    const placed = placeMarks([mark("1", 100), mark("2", 30), incident], riskTime("2h", NOW));
    expect(placed.map(({ label }) => label !== undefined)).toEqual([true, false, true]);
    for (const { x } of placed) expect(x).toBeGreaterThanOrEqual(0);
  });
});

describe("the time of the chart", () => {
  it("ends now, in steps from whole ones on, and is never longer than its range by more than a step", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RISK_RANGES),
        fc.date({ min: new Date("2026-01-01"), max: new Date("2027-01-01"), noInvalidDate: true }),
        (range, date) => {
          const time = riskTime(range, date.toISOString());
          const points = riskPoints(time).map((iso) => Date.parse(iso));
          expect(points.at(-1)).toBe(date.getTime());
          expect((points[0] ?? 0) % (time.stepSeconds * 1_000)).toBe(0);
          for (const [index, at] of points.entries()) if (index > 0) expect(at).toBeGreaterThan(points[index - 1] ?? 0);
          expect(points.length).toBeLessThanOrEqual(362);
        },
      ),
    );
  });

  it("moves back to a window of the past, with some time behind it", () => {
    const window = askedWindow("2h", NOW, { from: "2026-11-19T13:00:10Z", to: "2026-11-19T13:11:40Z" });
    expect(window).toEqual({ from: "2026-11-19T13:00:00.000Z", to: "2026-11-19T13:12:00.000Z" });
    expect(riskTime("2h", NOW, window)).toMatchObject({
      from: "2026-11-19T11:42:00.000Z",
      to: "2026-11-19T13:42:00.000Z",
      live: false,
    });
  });

  it("has no window that lies ahead or is empty, and none longer than itself", () => {
    expect(askedWindow("1h", NOW, { from: "2026-11-20T15:00:00Z", to: "2026-11-20T16:00:00Z" })).toBeUndefined();
    expect(askedWindow("1h", NOW, { from: "2026-11-20T14:00:00Z" })).toBeUndefined();
    expect(askedWindow("1h", NOW, { from: "2026-11-20T10:00:00Z", to: "2026-11-20T14:00:00Z" })).toEqual({
      from: "2026-11-20T13:00:00.000Z",
      to: "2026-11-20T14:00:00.000Z",
    });
  });
});
