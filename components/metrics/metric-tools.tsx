import Link from "next/link";
import { RangeLinks } from "@/components/charts/range-links";
import { Button } from "@/components/ui/button";
import { METRIC_RANGES, movedWindow } from "@/domain/metrics/chart-window";
import type { MetricFilters } from "@/presentation/filters/metrics";
import { withoutMilliseconds } from "@/presentation/metrics/measure-links";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { MetricsView } from "@/presentation/views/metrics";
import styles from "./metrics.module.css";
import { METRIC_GROUPS } from "@/domain/lists/filters";

export interface MetricToolsProps {
  readonly view: MetricsView;
  readonly filters: MetricFilters;
  readonly address: PageAddress;
}

const MOVES = [
  { label: "Earlier", by: -0.5, stretch: 1 },
  { label: "Later", by: 0.5, stretch: 1 },
  { label: "Zoom in", by: 0, stretch: 0.5 },
  { label: "Zoom out", by: 0, stretch: 2 },
];

/** Time and grouping, as links and a form without scripts: each leads to an address of its own. */
export function MetricTools({ view, filters, address }: MetricToolsProps) {
  const custom = filters.from !== undefined || filters.to !== undefined;
  const moved = (by: number, stretch: number): string => {
    const { from, to } = movedWindow(view.window, by, stretch);
    return hrefWith(address, { range: undefined, from: withoutMilliseconds(from), to: withoutMilliseconds(to) });
  };
  return (
    <div className={styles["tools"]}>
      <RangeLinks
        ranges={METRIC_RANGES}
        current={custom ? undefined : filters.range}
        href={(range) => hrefWith(address, { range, from: undefined, to: undefined })}
      />
      <span className={styles["set"]} role="group" aria-label="Move the time">
        {MOVES.map(({ label, by, stretch }) => (
          <Link key={label} href={moved(by, stretch)} scroll={false} prefetch={false} data-plain>
            {label}
          </Link>
        ))}
      </span>
      <span className={styles["set"]} role="group" aria-label="Group by">
        <i>by</i>
        {[undefined, ...METRIC_GROUPS].map((group) => (
          <Link
            key={group ?? "none"}
            href={hrefWith(address, { group })}
            scroll={false}
            prefetch={false}
            data-plain
            aria-current={group === filters.group ? "true" : undefined}
          >
            {group ?? "nothing"}
          </Link>
        ))}
      </span>
      <form className={styles["time"]} method="get" action={address.path}>
        {filters.group !== undefined && <input type="hidden" name="group" value={filters.group} />}
        <label>
          From <input type="datetime-local" name="from" required defaultValue={view.window.from.slice(0, 16)} />
        </label>
        <label>
          to <input type="datetime-local" name="to" required defaultValue={view.window.to.slice(0, 16)} />
        </label>
        UTC
        <Button type="submit" small>
          Show
        </Button>
      </form>
    </div>
  );
}
