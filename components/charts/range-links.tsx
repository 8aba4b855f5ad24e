import Link from "next/link";
import { CHART_RANGES, type ChartRange } from "@/domain/views/overview";
import styles from "./strips.module.css";

export const RANGE_SHORT: Readonly<Record<ChartRange, string>> = {
  "1h": "1 h",
  "6h": "6 h",
  "24h": "24 h",
  "7d": "7 d",
};

export interface RangeLinksProps {
  readonly current: ChartRange;
  readonly href: (range: ChartRange) => string;
}

/** How much time the charts show, as links: the range is part of the address. */
export function RangeLinks({ current, href }: RangeLinksProps) {
  return (
    <span className={styles["ranges"]} role="group" aria-label="Range">
      {CHART_RANGES.map((range) => (
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
