import type { GlyphName } from "@/domain/glyph";

export type SeriesColor =
  | "executed"
  | "replayed"
  | "in-progress"
  | "conflict"
  | "expired"
  | "unknown"
  | "ink"
  | "broken"
  | "1"
  | "2"
  | "3"
  | "4"
  | "5"
  | "6";

export interface StripSeries {
  readonly id: string;
  readonly label: string;
  readonly glyph?: GlyphName | undefined;
  /** Replayed is an outline, new unknown is dashed, durations are lines. */
  readonly draw: "bars" | "outline" | "dashed" | "line";
  readonly color: SeriesColor;
  /** One per bucket; `null`: not measured. */
  readonly values: readonly (number | null)[];
  /** The number at the right: "949", "240 ms". */
  readonly now: string;
  /** Over the whole range: "68,430", "10.0 s max". */
  readonly total: string;
  readonly nowTone?: "doubt" | "broken" | undefined;
  /** Formats a value in tooltip and table: plain count or milliseconds. Default count. */
  readonly unit?: "count" | "ms" | undefined;
}

export interface IncidentBand {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** "provider timeouts 14:02 to 14:09". */
  readonly label: string;
}

/** @returns the CSS colour of a series. */
export function seriesColor(color: SeriesColor): string {
  if (color === "broken") return "var(--ob-broken)";
  return color === "ink" ? "var(--ob-ink2)" : `var(--ob-c-${color})`;
}
