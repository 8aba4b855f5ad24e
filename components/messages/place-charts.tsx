import { shortDuration } from "@/components/charts/axis";
import { ChartAge } from "@/components/charts/chart-age";
import { RangeLinks, RANGE_SHORT } from "@/components/charts/range-links";
import { Sparklines } from "@/components/charts/sparklines";
import type { SparklineSeries } from "@/components/charts/types";
import { Section } from "@/components/ui/section";
import { formatCount } from "@/presentation/format/display-time";
import { hrefWith, pageParam, type PageAddress } from "@/presentation/list/page-address";
import type { PlaceChart, PlaceSeries } from "@/presentation/views/places";
import styles from "./messages.module.css";
import type { MessageSide } from "@/domain/messages/side";
import type { ChartRange } from "@/presentation/views/common";

export interface PlaceChartsProps {
  readonly side: MessageSide;
  readonly label: string;
  readonly chart: PlaceChart;
  readonly now: string;
  readonly address: PageAddress;
}

const TITLES: Readonly<Record<ChartRange, string>> = {
  "1h": "Last hour",
  "6h": "Last six hours",
  "24h": "Last 24 hours",
  "7d": "Last seven days",
};
type Look = Pick<SparklineSeries, "draw" | "color" | "glyph">;
const LOOKS: Readonly<Record<PlaceSeries["name"], Look>> = {
  succeeded: { draw: "bars", color: "executed", glyph: "executed" },
  failed: { draw: "outline", color: "unknown", glyph: "failed" },
  dead: { draw: "bars", color: "broken", glyph: "dead" },
  lag_p95: { draw: "line", color: "ink" },
  lag_max: { draw: "line", color: "1" },
};
const LABELS: Readonly<Record<PlaceSeries["name"], string>> = {
  succeeded: "Published",
  failed: "Failed attempts",
  dead: "Gave up",
  lag_p95: "Lag, p95",
  lag_max: "Lag, longest",
};

/** What was done, what failed and how late it was, over one time axis, from the roll-ups alone. */
export function PlaceCharts({ side, label, chart, now, address }: PlaceChartsProps) {
  const asTable = pageParam(address, "table") === "true";
  const { range, rolledUpMs } = chart;
  const table = (on: boolean): string => hrefWith(address, { table: on ? "true" : undefined });
  const none = chart.strips.every((sparkline) => sparkline.unit === "ms" || (sparkline.total ?? 0) === 0);
  return (
    <Section
      title={TITLES[range]}
      note={`${per(chart.bucketSeconds)}, each strip on its own scale`}
      right={
        <>
          <RangeLinks current={range} href={(to) => hrefWith(address, { range: to })} />
          {rolledUpMs === undefined ? (
            "not rolled up yet"
          ) : (
            <ChartAge
              at={new Date(Date.parse(now) - rolledUpMs).toISOString()}
              now={now}
              asTable={asTable}
              tableHref={table(true)}
              chartHref={table(false)}
            />
          )}
        </>
      }
    >
      {none && <p className={styles["counts"]}>Nothing was done here in this time.</p>}
      <Sparklines
        label={`${label}, ${TITLES[range].toLowerCase()}`}
        times={chart.buckets}
        series={chart.strips.map((sparkline) => drawn(side, sparkline))}
        totalLabel={RANGE_SHORT[range]}
        asTable={asTable}
      />
    </Section>
  );
}

function per(bucketSeconds: number): string {
  const minutes = bucketSeconds / 60;
  return minutes === 1
    ? "per minute"
    : minutes < 60
      ? `per ${String(minutes)} minutes`
      : `per ${String(minutes / 60)} hours`;
}

function drawn(side: MessageSide, sparkline: PlaceSeries): SparklineSeries {
  const say = (value: number | null): string =>
    value === null ? "none" : sparkline.unit === "ms" ? shortDuration(value) : formatCount(value);
  return {
    id: sparkline.name,
    label: sparkline.name === "succeeded" && side === "inbox" ? "Handled" : LABELS[sparkline.name],
    ...LOOKS[sparkline.name],
    values: sparkline.values,
    now: say(sparkline.now),
    total: `${say(sparkline.total)}${sparkline.unit === "ms" && sparkline.total !== null ? " max" : ""}`,
    unit: sparkline.unit,
    nowTone: sparkline.name === "dead" && (sparkline.now ?? 0) > 0 ? "broken" : undefined,
  };
}
