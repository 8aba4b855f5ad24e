import { seriesColor, type SeriesColor } from "./types";

export interface TrendProps {
  readonly values: readonly number[];
  readonly color: SeriesColor;
  /** Spoken: "21 in 24 hours, most at 12:00". */
  readonly label: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** A few bars in a cell, drawn on the server: too small for an axis. */
export function Trend({ values, color, label, width = 72, height = 20 }: TrendProps) {
  const top = Math.max(1, ...values);
  const slot = width / Math.max(1, values.length);
  const bar = Math.max(1, Math.min(4, slot * 0.6));
  return (
    <svg width={width} height={height} viewBox={`0 0 ${String(width)} ${String(height)}`} role="img" aria-label={label}>
      <path d={`M0 ${String(height - 0.5)}H${String(width)}`} stroke="var(--ob-line-mid)" strokeWidth={1} />
      {values.map((value, index) => {
        const high = value === 0 ? 0 : Math.max(2, (value / top) * (height - 2));
        const x = index * slot + (slot - bar) / 2;
        return (
          <rect
            key={`${String(index)}:${String(value)}`}
            x={x}
            y={height - 1 - high}
            width={bar}
            height={high}
            fill={seriesColor(color)}
          />
        );
      })}
    </svg>
  );
}
