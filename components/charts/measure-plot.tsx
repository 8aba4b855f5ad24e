"use client";

import { Bar, ComposedChart, DefaultZIndexes, Line, ReferenceLine, XAxis, YAxis, type BarShapeProps } from "recharts";
import { tickText } from "./axis";
import { AXIS_WIDTH, type ChartUnit, type Draw, PLOT_HEIGHT, PLOT_TOP, seriesColor, type SeriesColor } from "./types";

export interface PlotLine {
  readonly id: string;
  readonly draw: Draw;
  readonly color: SeriesColor;
  readonly dash?: string | undefined;
  readonly values: readonly (number | null)[];
}

export interface MeasurePlotProps {
  readonly times: readonly string[];
  readonly lines: readonly PlotLine[];
  readonly unit: ChartUnit;
  /** Values of the grid lines; the first is the base, the last the top. */
  readonly grid: readonly number[];
  readonly threshold?: number | undefined;
}

/** Bars or lines of one measure over at most three grid lines. Cursor, zoom and words lie over it and beside it. */
export function MeasurePlot({ times, lines, unit, grid, threshold }: MeasurePlotProps) {
  const data = times.map((at, index) => ({
    at,
    ...Object.fromEntries(lines.map((one) => [one.id, one.values[index]])),
  }));
  return (
    <ComposedChart
      data={data}
      margin={{ top: PLOT_TOP, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="25%"
      accessibilityLayer={false}
      responsive
      style={{ width: "100%", height: PLOT_HEIGHT }}
    >
      {grid.map((value) => (
        <ReferenceLine key={value} y={value} stroke="var(--ob-line)" zIndex={DefaultZIndexes.grid} />
      ))}
      <XAxis dataKey="at" scale="band" hide />
      <YAxis
        width={AXIS_WIDTH}
        domain={[0, grid[grid.length - 1] ?? 1]}
        ticks={[...grid]}
        interval={0}
        axisLine={false}
        tickLine={false}
        tick={{ fontSize: 12, fill: "var(--ob-ink3)" }}
        tickFormatter={(value: number) => tickText(value, unit)}
      />
      {threshold !== undefined && (
        <ReferenceLine y={threshold} stroke="var(--ob-doubt-mark)" strokeDasharray="6 3" strokeWidth={1} />
      )}
      {lines.map((one) => (one.draw === "line" ? lineOf(one) : barOf(one)))}
    </ComposedChart>
  );
}

function lineOf({ id, color, dash, values }: PlotLine) {
  return (
    <Line
      key={id}
      dataKey={id}
      type="linear"
      stroke={seriesColor(color)}
      strokeWidth={1.5}
      {...(dash === undefined ? {} : { strokeDasharray: dash })}
      dot={aloneDot(values, seriesColor(color))}
      activeDot={false}
      isAnimationActive={false}
      connectNulls={false}
    />
  );
}

/** A point between two gaps has no line: it is drawn as a dot. */
function aloneDot(values: readonly (number | null)[], color: string) {
  return function AloneDot({ cx, cy, index }: { cx?: number; cy?: number; index?: number }) {
    const at = index ?? 0;
    const alone =
      (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null && (values[at] ?? null) !== null;
    return alone ? <circle key={at} cx={cx} cy={cy} r={1.5} fill={color} /> : <g key={at} />;
  };
}

function barOf({ id, color, draw }: PlotLine) {
  return (
    <Bar
      key={id}
      dataKey={id}
      fill={seriesColor(color)}
      isAnimationActive={false}
      {...(draw === "bars" ? {} : { shape: shapeOf(draw, seriesColor(color)) })}
    />
  );
}

function shapeOf(draw: Draw, color: string) {
  return function StripBar({ x, y, width, height }: BarShapeProps) {
    if (height <= 0) return <g />;
    if (draw === "dashed") {
      const middle = x + width / 2;
      return (
        <path
          d={`M${String(middle)} ${String(y + height)}V${String(y)}`}
          stroke={color}
          strokeWidth={width}
          strokeDasharray="3 1.5"
        />
      );
    }
    return (
      <rect
        x={x + 0.5}
        y={y + 0.5}
        width={Math.max(1, width - 1)}
        height={Math.max(1, height - 0.5)}
        fill="none"
        stroke={color}
      />
    );
  };
}
