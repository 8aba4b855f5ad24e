import Link from "next/link";
import { Time } from "@/components/ui/values/time";

export interface ChartAgeProps {
  /** When the roll-up was made, RFC 3339. */
  readonly at: string;
  readonly now: string;
  readonly tableHref: string;
  readonly chartHref: string;
  readonly asTable: boolean;
}

/** Age of the roll-up, and the same numbers as a table. */
export function ChartAge({ at, now, tableHref, chartHref, asTable }: ChartAgeProps) {
  return (
    <>
      rolled up <Time at={at} now={now} form="ago" /> ·{" "}
      <Link href={asTable ? chartHref : tableHref} scroll={false}>
        {asTable ? "as a chart" : "as a table"}
      </Link>
    </>
  );
}
