import { describe, expect, it } from "vitest";
import Decimal from "./decimal";
import { scaleBand, scaleLinear, scalePoint } from "./scale";
import { area, line } from "./shape";

describe("CHART-7 the stand-ins for parts of recharts", () => {
  it("lays numbers along a line, and a range without extent at its start", () => {
    const scale = scaleLinear().domain([0, 200]).range([100, 0]);
    expect([0, 50, 200].map(scale)).toEqual([100, 75, 0]);
    expect(scaleLinear().domain([5, 5]).range([0, 10])(5)).toBe(0);
    expect(scale.copy().domain([0, 100])(50)).toBe(50);
    expect(scale(50)).toBe(75);
    expect(scale.ticks?.(2)).toEqual([0, 100, 200]);
  });
  it("gives every value a slot of its own, or a point", () => {
    const band = scaleBand().domain(["a", "b", "c", "d"]).range([0, 100]);
    expect([band("a"), band("d"), band("z"), band.bandwidth?.()]).toEqual([0, 75, undefined, 25]);
    const point = scalePoint().domain(["a", "b", "c"]).range([0, 100]);
    expect([point("a"), point("b"), point("c"), point.bandwidth?.()]).toEqual([0, 50, 100, 0]);
  });
  it("begins a line anew after what was not measured, and draws a point alone", () => {
    const draw = line<{ x: number; y: number | null }>()
      .x((point) => point.x)
      .y((point) => point.y ?? 0)
      .defined((point) => point.y !== null)
      .curve(undefined);
    const points = [null, 1, 2.00049, null, null, 3].map((y, x) => ({ x, y }));
    expect(draw(points)).toBe("M1,1L2,2M5,3Z");
    expect(draw([])).toBeNull();
    expect(draw([{ x: 0, y: null }])).toBeNull();
  });
  it("says so when it is asked for what our charts do not draw", () => {
    expect(() => area()).toThrow("stack nothing");
  });
  it("counts as recharts expects of its ticks", () => {
    expect(new Decimal(10).pow(2).mul(3).div(4).sub(5).add(new Decimal("1")).toNumber()).toBe(71);
    expect(Math.floor(new Decimal(-1_200).abs().log(10).toNumber())).toBe(3);
    expect([new Decimal(2.5).isint(), new Decimal(7).mod(4).toNumber(), new Decimal(1).lt(2)]).toEqual([
      false,
      3,
      true,
    ]);
  });
});
