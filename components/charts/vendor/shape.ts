/**
 * Straight lines, in the place of all of d3-shape (next.config.ts): our charts join points by straight lines, stack nothing and draw no
 * areas or symbols, but recharts names every curve, so a bundler can drop none.
 */
type Read<Point, Value> = (point: Point, index: number) => Value;

interface Line<Point> {
  (points: readonly Point[]): string | null;
  x(read: Read<Point, number>): Line<Point>;
  y(read: Read<Point, number>): Line<Point>;
  defined(is: Read<Point, boolean>): Line<Point>;
  curve(factory: unknown): Line<Point>;
}

const PLACES = 1_000;
const round = (value: number): string => String(Math.round(value * PLACES) / PLACES);

/** A line that begins anew after a point that is not defined: what was not measured is a gap. A point alone is a dot of no length. */
export function line<Point>(): Line<Point> {
  let x: Read<Point, number> = () => 0;
  let y = x;
  let isDefined: Read<Point, boolean> = () => true;
  const shape = ((points: readonly Point[]) => {
    const runs: string[][] = [];
    let run: string[] | undefined;
    for (const [index, point] of points.entries()) {
      if (!isDefined(point, index)) run = undefined;
      else if (run === undefined) runs.push((run = []));
      run?.push(`${round(x(point, index))},${round(y(point, index))}`);
    }
    const paths = runs.map((of) => `M${of.join("L")}${of.length === 1 ? "Z" : ""}`);
    return paths.length === 0 ? null : paths.join("");
  }) as Line<Point>;
  shape.x = (read) => ((x = read), shape);
  shape.y = (read) => ((y = read), shape);
  shape.defined = (is) => ((isDefined = is), shape);
  shape.curve = () => shape;
  return shape;
}

function notDrawn(): never {
  throw new Error("our charts draw straight lines and bars, and stack nothing");
}
export {
  notDrawn as area,
  notDrawn as curveBasis,
  notDrawn as curveBasisClosed,
  notDrawn as curveBasisOpen,
  notDrawn as curveBumpX,
  notDrawn as curveBumpY,
  notDrawn as curveLinear,
  notDrawn as curveLinearClosed,
  notDrawn as curveMonotoneX,
  notDrawn as curveMonotoneY,
  notDrawn as curveNatural,
  notDrawn as curveStep,
  notDrawn as curveStepAfter,
  notDrawn as curveStepBefore,
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
