import type { GlyphName } from "@/presentation/format/glyph";
import type { MeasureList } from "@/presentation/views/metrics";

export type SeriesColor =
  | "executed"
  | "replayed"
  | "in-progress"
  | "conflict"
  | "expired"
  | "unknown"
  | "ink"
  | "broken"
  | "rest"
  | `${1 | 2 | 3 | 4 | 5 | 6}`;

export type ChartUnit = "count" | "ms" | "share";
/** Replayed is an outline, new unknown is dashed, durations are lines. */
export type Draw = "bars" | "outline" | "dashed" | "line";

export interface SparklineSeries {
  readonly id: string;
  readonly label: string;
  /** Where the same measure is drawn large. */
  readonly href?: string | undefined;
  readonly list?: MeasureList | undefined;
  readonly glyph?: GlyphName | undefined;
  readonly draw: Draw;
  readonly color: SeriesColor;
  /** One per bucket; `null`: not measured. */
  readonly values: readonly (number | null)[];
  /** The number at the right: "949", "240 ms". */
  readonly now: string;
  /** Over the whole range: "68,430", "10.0 s max". */
  readonly total: string;
  readonly nowTone?: "doubt" | "broken" | undefined;
  /** Formats a value in tooltip and table: plain count or milliseconds. Default count. */
  readonly unit?: ChartUnit | undefined;
}

export interface IncidentBand {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** "provider timeouts"; the times are added in the reader's zone. */
  readonly label: string;
}

export function seriesColor(color: SeriesColor): string {
  if (color === "broken") return "var(--ob-broken)";
  if (color === "rest") return "var(--ob-line-strong)";
  return color === "ink" ? "var(--ob-ink2)" : `var(--ob-c-${color})`;
}

/** Room of the axis at the left of a plot; the cursor lies over the rest. Also in metrics.module.css. px */
export const AXIS_WIDTH = 56;

export const PLOT_HEIGHT = 132;

export const PLOT_TOP = 6;
