import { Link } from "@/components/ui/link";
import type { MetricRange } from "@/domain/metrics/chart-window";
import styles from "./sparklines.module.css";

export const RANGE_SHORT: Readonly<Record<MetricRange, string>> = {
  "1h": "1 h",
  "6h": "6 h",
  "24h": "24 h",
  "7d": "7 d",
  "30d": "30 d",
};
const SPARKLINE_RANGES = ["1h", "6h", "24h", "7d"] as const;

export interface RangeLinksProps<Range extends MetricRange> {
  /** Undefined: another time than one of these. */
  readonly current: Range | undefined;
  readonly href: (range: Range) => string;
  readonly ranges?: readonly Range[] | undefined;
}

/** How much time the charts show, as links: the range is part of the address. */
export function RangeLinks<Range extends MetricRange = (typeof SPARKLINE_RANGES)[number]>({
  current,
  href,
  ranges = SPARKLINE_RANGES as unknown as readonly Range[],
}: RangeLinksProps<Range>) {
  return (
    <span className={styles["ranges"]} role="group" aria-label="Range">
      {ranges.map((range) => (
        <Link
          key={range}
          href={href(range)}
          scroll={false}
          data-plain
          aria-current={range === current ? "true" : undefined}
        >
          {RANGE_SHORT[range]}
        </Link>
      ))}
    </span>
  );
}
