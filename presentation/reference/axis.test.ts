import { describe, expect, it } from "vitest";
import { apart, axisOf } from "./axis";

/** Narrowest axis that is drawn with words, at 1024 px; of a letter, px. */
const AXIS = 580;
const LETTER = 6.4;
/** What a finger or a pointer needs from one mark to the next, px (WCAG 2.2, 2.5.8). */
const TARGET = 24;

const START = Date.parse("2026-11-23T18:48:52.058Z");
const after = (...ms: readonly number[]): string[] => ms.map((each) => new Date(START + each).toISOString());

describe("the axis of a reference", () => {
  it.each([
    ["milliseconds", after(0, 55)],
    ["seconds", after(0, 4_000, 9_000, 21_000)],
    ["minutes", after(0, 300_000, 1_500_000)],
    ["days", after(0, 86_400_000, 5 * 86_400_000)],
    ["a break", after(0, 20, 55, 3 * 86_400_000)],
  ])("has labels that do not touch, in %s", (_, moments) => {
    const { ticks } = axisOf(moments, undefined, "utc");
    expect(ticks.length).toBeGreaterThan(1);
    const ends = ticks.map(({ x, label }) => {
      const [middle, half] = [(x / 100) * AXIS, (label.length * LETTER) / 2];
      return { from: middle - half, to: middle + half };
    });
    for (const [index, { from }] of ends.entries()) expect(from).toBeGreaterThan(ends[index - 1]?.to ?? -Infinity);
  });

  it("has no tick where nothing happened: only operations that move no money carry the reference", () => {
    const { ticks, breakAt, place } = axisOf([], undefined, "utc");
    expect([ticks, breakAt]).toEqual([[], undefined]);
    expect(place(after(0)[0] ?? "")).toBe(2);
  });

  it("says the whole time of a tick", () => {
    expect(axisOf(after(0, 55), undefined, "utc").ticks.map(({ label }) => label)).toEqual([
      "18:48:52.060",
      "18:48:52.070",
      "18:48:52.080",
      "18:48:52.090",
      "18:48:52.100",
      "18:48:52.110",
    ]);
  });
});

describe("marks of one moment", () => {
  it.each([
    ["at the beginning", Array.from({ length: 12 }, () => 2), 11],
    ["at the end", Array.from({ length: 12 }, () => 99), undefined],
    ["around the line", [40, 50, 50, 50, 60], 2],
  ])("stand side by side on the axis, %s", (_, places, fixed) => {
    const drawn = apart(places, fixed, false);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(100);
    const apartPx = drawn.map((x, index) => ((x - (drawn[index - 1] ?? -Infinity)) / 100) * AXIS);
    expect(Math.min(...apartPx)).toBeGreaterThanOrEqual(TARGET);
  });

  it("leave a line where it is while there is room before it", () => {
    expect(apart([40, 50, 50, 50], 3, false)[3]).toBe(50);
    expect(apart([], undefined, false)).toEqual([]);
  });

  it("leave room on the axis for the number of those that are not drawn", () => {
    const last = apart([90, 95, 99], 0, true).at(-1) ?? 100;
    // 12 px before it, and letters that are 6.4 px wide.
    expect((last / 100) * AXIS + 12 + "+12".length * LETTER).toBeLessThanOrEqual(AXIS);
  });
});
