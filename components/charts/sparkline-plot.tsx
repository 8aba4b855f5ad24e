import { seriesColor, type SparklineSeries } from "./types";
import styles from "./sparklines.module.css";

const HEIGHT = 44;
const SLOT = 10;
/** Bars take half of their slot. */
const BAR = 5;
const EDGE = 2;

/** One measure on its own scale, written by the server; what was not measured is a dotted base. */
export function SparklinePlot({ series }: { readonly series: Pick<SparklineSeries, "values" | "draw" | "color"> }) {
  const { values, draw } = series;
  const color = seriesColor(series.color);
  const top = Math.max(1, ...values.map((value) => value ?? 0));
  const y = (value: number): number => round(HEIGHT - (value / top) * (HEIGHT - EDGE));
  return (
    <svg
      className={styles["drawn"]}
      viewBox={`0 0 ${String(values.length * SLOT)} ${String(HEIGHT)}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path className={styles["unmeasured"]} d={unmeasured(values)} />
      {draw === "line" ? (
        <path className={styles["line"]} d={linePath(values, y)} stroke={color} />
      ) : draw === "dashed" ? (
        <path d={dashPath(values, y)} stroke={color} strokeWidth={BAR} strokeDasharray="3 1.5" />
      ) : (
        <path
          className={styles[draw]}
          d={barPath(values, y)}
          {...(draw === "outline" ? { stroke: color, fill: "none" } : { fill: color })}
        />
      )}
    </svg>
  );
}

type Values = readonly (number | null)[];

/** One piece of a path for each value that is more than nothing. @param x start of its slot */
function columnPath(values: Values, piece: (x: number, value: number) => string): string {
  return values.map((value, index) => (value === null || value === 0 ? "" : piece(index * SLOT, value))).join("");
}

function barPath(values: Values, y: (value: number) => number): string {
  return columnPath(values, (x, value) => {
    const top = String(Math.min(y(value), HEIGHT - EDGE));
    return `M${String(x + (SLOT - BAR) / 2)} ${String(HEIGHT)}V${top}h${String(BAR)}V${String(HEIGHT)}z`;
  });
}

function dashPath(values: Values, y: (value: number) => number): string {
  return columnPath(
    values,
    (x, value) => `M${String(x + SLOT / 2)} ${String(HEIGHT)}V${String(Math.min(y(value), HEIGHT - EDGE))}`,
  );
}

function linePath(values: Values, y: (value: number) => number): string {
  let path = "";
  values.forEach((value, index) => {
    if (value === null) return;
    const begins = (values[index - 1] ?? null) === null;
    const alone = begins && (values[index + 1] ?? null) === null;
    path += `${begins ? "M" : "L"}${String(index * SLOT + SLOT / 2)} ${String(y(value))}${alone ? "h.01" : ""}`;
  });
  return path;
}

function unmeasured(values: Values): string {
  return values
    .map((value, index) => (value === null ? `M${String(index * SLOT)} ${String(HEIGHT)}h${String(SLOT)}` : ""))
    .join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
