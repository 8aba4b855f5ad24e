"use client";

import {
  Bar,
  BarChart,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
  type BarShapeProps,
  type TooltipContentProps,
} from "recharts";
import { formatClock, formatCount, formatDuration } from "@/domain/display-time";
import { useZone } from "@/components/ui/use-zone";
import { seriesColor, type StripSeries } from "./types";
import styles from "./strips.module.css";

const HEIGHT = 44;
const MARGIN = { top: 2, right: 0, bottom: 0, left: 0 };

export interface StripPlotProps {
  /** Start of each bucket, RFC 3339. */
  readonly times: readonly string[];
  readonly series: StripSeries;
  readonly syncId: string;
}

/** One measure on its own scale. */
export function StripPlot({ times, series, syncId }: StripPlotProps) {
  const data = times.map((at, index) => ({ at, value: series.values[index] ?? null }));
  const color = seriesColor(series.color);
  const shared = { data, syncId, margin: MARGIN, accessibilityLayer: true };
  const axes = [
    <XAxis key="x" dataKey="at" hide />,
    <YAxis key="y" hide domain={[0, (max: number) => Math.max(1, max)]} />,
    <Tooltip
      key="t"
      isAnimationActive={false}
      cursor={{ fill: "var(--ob-hover)", stroke: "var(--ob-line)" }}
      content={(props) => <OneLine {...props} series={series} />}
    />,
  ];
  return (
    <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={{ width: 560, height: HEIGHT }}>
      {series.draw === "line" ? (
        <LineChart {...shared}>
          {axes}
          <Line
            dataKey="value"
            type="linear"
            stroke={color}
            strokeWidth={1.4}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            connectNulls={false}
          />
        </LineChart>
      ) : (
        <BarChart {...shared} barCategoryGap="24%">
          {axes}
          <Bar
            dataKey="value"
            fill={color}
            isAnimationActive={false}
            {...(series.draw === "bars" ? {} : { shape: shapeOf(series.draw, color) })}
          />
        </BarChart>
      )}
    </ResponsiveContainer>
  );
}

function shapeOf(draw: "outline" | "dashed" | "line", color: string) {
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
        strokeWidth={1}
      />
    );
  };
}

type OneLineProps = Partial<TooltipContentProps> & { readonly series: StripSeries };

/** The tooltip: one line of text. */
function OneLine({ active, payload, label, series }: OneLineProps) {
  const zone = useZone();
  const value: unknown = payload?.[0]?.value;
  if (active !== true || typeof label !== "string") return null;
  const said = typeof value === "number" ? say(value, series) : "not measured";
  return (
    <span className={styles["tip"]}>
      {formatClock(label, zone).slice(0, 5)} {said}
    </span>
  );
}

/** A value in words of its unit. */
export function say(value: number, series: StripSeries): string {
  return series.unit === "ms" ? formatDuration(value) : formatCount(value);
}
