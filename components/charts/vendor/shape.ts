/**
 * Straight lines and areas, in the place of all of d3-shape (next.config.ts): our charts join points by straight lines only,
 * stack nothing and draw no symbols, but recharts names every curve, so a bundler can drop none.
 */
type Read<Point> = (point: Point, index: number) => number;

interface Shape<Point> {
  (points: readonly Point[]): string | null;
  x(read: Read<Point> | number): Shape<Point>;
  y(read: Read<Point> | number): Shape<Point>;
  x0(read: Read<Point> | number): Shape<Point>;
  x1(read: Read<Point> | number): Shape<Point>;
  y0(read: Read<Point> | number): Shape<Point>;
  y1(read: Read<Point> | number): Shape<Point>;
  defined(is: (point: Point, index: number) => boolean): Shape<Point>;
  curve(factory: unknown): Shape<Point>;
}

const MILLI = 1_000;

/** A line that begins anew after a point that is not defined: what was not measured is a gap. */
export function line<Point>(): Shape<Point> {
  return make<Point>(false);
}

/** The same with a second edge, closed. */
export function area<Point>(): Shape<Point> {
  return make<Point>(true);
}

function make<Point>(closed: boolean): Shape<Point> {
  const edges: Record<"x0" | "x1" | "y0" | "y1", Read<Point> | undefined> = {
    x0: undefined,
    x1: undefined,
    y0: undefined,
    y1: undefined,
  };
  let isDefined: (point: Point, index: number) => boolean = () => true;
  const at = (x: "x0" | "x1", y: "y0" | "y1", point: Point, index: number): string => {
    const [readX, readY] = [edges[x] ?? edges.x0 ?? edges.x1, edges[y] ?? edges.y0 ?? edges.y1];
    return `${round(readX?.(point, index) ?? 0)},${round(readY?.(point, index) ?? 0)}`;
  };
  const shape = ((points: readonly Point[]) => {
    let path = "";
    let run: (readonly [Point, number])[] = [];
    const end = (): void => {
      if (run.length === 0) return;
      path += `M${run.map(([point, index]) => at("x1", "y1", point, index)).join("L")}`;
      if (closed)
        path += `L${[...run]
          .reverse()
          .map(([point, index]) => at("x0", "y0", point, index))
          .join("L")}Z`;
      else if (run.length === 1) path += "h0";
      run = [];
    };
    points.forEach((point, index) => {
      if (isDefined(point, index)) run.push([point, index]);
      else end();
    });
    end();
    return path === "" ? null : path;
  }) as Shape<Point>;
  const set = (...names: readonly (keyof typeof edges)[]) => {
    return (read: Read<Point> | number): Shape<Point> => {
      for (const name of names) edges[name] = typeof read === "number" ? () => read : read;
      return shape;
    };
  };
  shape.x = set("x0", "x1");
  shape.y = set("y0", "y1");
  shape.x0 = set("x0");
  shape.x1 = set("x1");
  shape.y0 = set("y0");
  shape.y1 = set("y1");
  shape.defined = (is) => {
    isDefined = is;
    return shape;
  };
  shape.curve = () => shape;
  return shape;
}

function round(value: number): string {
  return String(Math.round(value * MILLI) / MILLI);
}

const straight = Symbol("straight");
export const curveLinear = straight;
export {
  straight as curveBasis,
  straight as curveBasisClosed,
  straight as curveBasisOpen,
  straight as curveBumpX,
  straight as curveBumpY,
  straight as curveLinearClosed,
  straight as curveMonotoneX,
  straight as curveMonotoneY,
  straight as curveNatural,
  straight as curveStep,
  straight as curveStepAfter,
  straight as curveStepBefore,
};

function notDrawn(): never {
  throw new Error("our charts stack nothing and draw no symbols");
}
export {
  notDrawn as stack,
  notDrawn as stackOffsetExpand,
  notDrawn as stackOffsetNone,
  notDrawn as stackOffsetSilhouette,
  notDrawn as stackOffsetWiggle,
  notDrawn as stackOrderNone,
  notDrawn as symbol,
  notDrawn as symbolCircle,
  notDrawn as symbolCross,
  notDrawn as symbolDiamond,
  notDrawn as symbolSquare,
  notDrawn as symbolStar,
  notDrawn as symbolTriangle,
  notDrawn as symbolWye,
};
