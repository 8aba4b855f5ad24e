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
}

/** Round moments below a chart, whole and inside of it; what is read out has its own times. */
export function TimeAxis({ times, most, at, zone, className }: TimeAxisProps) {
  const labels = axisTimes(times, most, zone).map((iso, _, all) => ({ iso, text: axisText(iso, all, zone) }));
  return (
    <div className={className} aria-hidden>
      {labels.map(({ iso, text }) => (
        <span key={iso} style={labelPlace(at(iso), text)}>
          {text}
        </span>
      ))}
    </div>
  );
}
