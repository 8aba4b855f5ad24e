import { describe, expect, it } from "vitest";
import { axisStretches, axisTicks } from "./chain";

const START = Date.parse("2026-11-19T14:02:09.114Z");
const seconds = (...values: readonly number[]): number[] => values.map((value) => START + value * 1000);

describe("the time axis", () => {
  it("breaks once, in the longest pause after a dense head", () => {
    const stretches = axisStretches(seconds(0, 2.2, 4.9, 14.9, 82, 171, 593, 1771), START + 2_471_000);
    expect(stretches).toHaveLength(2);
    expect(stretches[0].to).toBeGreaterThan(START + 14_900);
    expect(stretches[0].to).toBeLessThan(START + 82_000);
    expect(stretches.reduce((sum, stretch) => sum + stretch.share, 0)).toBeCloseTo(1);
  });

  it("does not break when everything happened at one pace, or nothing did", () => {
    expect(axisStretches(seconds(0, 1, 2, 3), START + 4000)).toHaveLength(1);
    expect(axisStretches([], START)).toHaveLength(1);
    expect(axisStretches(seconds(0), START)[0].to).toBeGreaterThan(START);
  });

  it("has the present at its end and no mark beside it, when nothing else came after the break", () => {
    const now = START + 15_000_000;
    const stretches = axisStretches(seconds(0, 1.1, 2.6, 4.2, 8, 14), now);
    expect(stretches).toHaveLength(2);
    expect(stretches[1]?.to).toBe(now);
    expect(stretches[0].share).toBeGreaterThan(0.9);
    expect(axisTicks(stretches, now).every(({ at }) => at < START + 30_000)).toBe(true);
  });

  it("names the last moment, when it alone came after the break", () => {
    const stretches = axisStretches(seconds(0, 2, 8, 65), START + 65_000);
    expect(stretches[1]?.share).toBeLessThan(0.1);
    expect(axisTicks(stretches, undefined).at(-1)).toEqual({ at: START + 65_000, label: "14:03:14" });
  });

  it("keeps a call that was under way, and cuts the quiet behind it", () => {
    const call = { from: START + 5, to: START + 10_005 };
    const stretches = axisStretches(seconds(0, 0.005, 0.015, 10.005, 40, 45), START + 45_000, [call]);
    expect(stretches[0].from).toBe(START);
    expect(stretches[0].to).toBeGreaterThan(START + 10_005);
    expect(stretches[0].to).toBeLessThan(START + 40_000);
    expect(stretches[1]?.from).toBeGreaterThan(stretches[0].to);
  });

  it("cuts the longest quiet where milliseconds are all that another break would keep", () => {
    const cut = (...values: readonly number[]) =>
      axisStretches(seconds(...values), START + (values.at(-1) ?? 0) * 1000).map(({ from, to }) => [
        (from - START) / 1000,
        (to - START) / 1000,
      ]);
    const [head, tail] = cut(0, 0.015, 10, 40, 45);
    expect(head?.[1]).toBeGreaterThan(10);
    expect(tail?.[0]).toBeGreaterThan(39);
    const [burst, hour] = cut(0, 0.015, 10, 3_600, 3_605);
    expect(burst?.[1]).toBeGreaterThan(10);
    expect(hour?.[0]).toBeGreaterThan(3_500);
  });

  it("keeps milliseconds where nothing but them and one long quiet is there", () => {
    const stretches = axisStretches(seconds(0, 0.005, 0.015, 10), START + 10_300);
    expect(stretches[0].to).toBeLessThan(START + 100);
  });

  it("never names two marks alike, however short the stretch", () => {
    const labels = axisTicks(
      [
        { from: START, to: START + 8, share: 0.44 },
        { from: START + 400, to: START + 2_100, share: 0.56 },
      ],
      undefined,
    ).map((tick) => tick.label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels).toContain("+2 ms");
  });

  it("marks short steps from the start and the clock after a break", () => {
    const ticks = axisTicks(
      [
        { from: START, to: START + 24_000, share: 0.44 },
        { from: START + 80_000, to: START + 2_471_000, share: 0.56 },
      ],
      undefined,
    );
    expect(ticks.map((tick) => tick.label)).toEqual([
      "14:02:09",
      "+5 s",
      "+10 s",
      "+15 s",
      "+20 s",
      "14:10",
      "14:20",
      "14:30",
    ]);
  });
});
