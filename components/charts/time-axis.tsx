import type { Zone } from "@/domain/time-zone";
import { axisText, axisTimes, labelPlace } from "./axis";

export interface TimeAxisProps {
  /** Start of each bucket, RFC 3339, in order. */
  readonly times: readonly string[];
  readonly most: number;
  /** Where a moment lies, per cent of the axis. */
  readonly at: (iso: string) => number;
  readonly zone: Zone;
  readonly className: string | undefined;
  /** Where a phone begins to draw, per cent of the axis: labels before it have `data-before`. */
  readonly phoneFrom?: number | undefined;
}

/** Round moments below a chart, whole and inside of it; what is read out has its own times. */
export function TimeAxis({ times, most, at, zone, className, phoneFrom = 0 }: TimeAxisProps) {
  const labels = axisTimes(times, most, zone).map((iso, _, all) => ({ iso, text: axisText(iso, all, zone) }));
  return (
    <div className={className} aria-hidden>
      {labels.map(({ iso, text }) => (
        <span key={iso} style={labelPlace(at(iso), text)} data-before={at(iso) < phoneFrom || undefined}>
          {text}
        </span>
      ))}
    </div>
  );
}
