import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import type { ChartRange, ChartSeries } from "@/presentation/views/common";
import { NO_DATA, shortDuration } from "./axis";
import { RANGE_SHORT, RangeLinks } from "./range-links";
import { Sparklines } from "./sparklines";
import type { IncidentBand, SparklineSeries } from "./types";

const TITLES: Readonly<Record<ChartRange, string>> = {
  "1h": "Last hour",
  "6h": "Last six hours",
  "24h": "Last 24 hours",
  "7d": "Last seven days",
};

interface SparklineSectionProps {
  readonly chart: {
    readonly range: ChartRange;
    readonly buckets: readonly string[];
    /** Age of the roll-up, ms; undefined: there is none yet. */
    readonly rolledUpMs?: number | undefined;
  };
  readonly series: readonly SparklineSeries[];
  readonly note: string;
  /** Accessible name of the strips; it goes on with the time, "last hour". */
  readonly label: string;
  /** Above the strips, where nothing happened; it is given the time. */
  readonly none?: ((time: string) => ReactNode) | undefined;
  readonly bands?: readonly IncidentBand[] | undefined;
  readonly now: string;
  readonly asTable: boolean;
  readonly rangeHref: (range: ChartRange) => string;
  readonly tableHref: (asTable: boolean) => string;
}

/** Strips over one time axis, from the roll-ups alone, with a choice of their time and the same as a table. */
export function SparklineSection(props: SparklineSectionProps) {
  const { chart, series, note, label, none, bands, now, asTable, rangeHref, tableHref } = props;
  const { range, buckets, rolledUpMs } = chart;
  const time = TITLES[range].toLowerCase();
  return (
    <Section
      title={TITLES[range]}
      note={note}
      right={
        <>
          <RangeLinks current={range} href={rangeHref} />
          {rolledUpMs === undefined ? (
            "not rolled up yet"
          ) : (
            <ChartAge
              at={new Date(Date.parse(now) - rolledUpMs).toISOString()}
              now={now}
              asTable={asTable}
              tableHref={tableHref(true)}
              chartHref={tableHref(false)}
            />
          )}
        </>
      }
    >
      {none?.(time)}
      <Sparklines
        label={`${label} ${time}`}
        times={buckets}
        series={series}
        totalLabel={RANGE_SHORT[range]}
        bands={bands}
        asTable={asTable}
      />
    </Section>
  );
}

/** The values of a strip, and its numbers in words. */
export function stripValues({ name, unit, values, now, total }: ChartSeries & { readonly name: string }) {
  if (unit === "ms") {
    const say = (value: number | null): string => (value === null ? "none" : shortDuration(value));
    return { id: name, values, unit, now: say(now), total: `${say(total)}${total === null ? "" : " max"}` };
  }
  // Whatever a bar stands for: what is now is the last whole minute.
  const rate = now === null ? NO_DATA : `${formatCount(now)}/min`;
  return { id: name, values, unit, now: rate, total: total === null ? NO_DATA : formatCount(total) };
}

interface ChartAgeProps {
  /** When the roll-up was made, RFC 3339. */
  readonly at: string;
  readonly now: string;
  readonly tableHref: string;
  readonly chartHref: string;
  readonly asTable: boolean;
}

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
