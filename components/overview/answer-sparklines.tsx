import { ChartAge } from "@/components/charts/chart-age";
import { shortDuration } from "@/components/charts/axis";
import { RangeLinks, RANGE_SHORT } from "@/components/charts/range-links";
import { Sparklines } from "@/components/charts/sparklines";
import type { SparklineSeries as Drawn } from "@/components/charts/types";
import { Section } from "@/components/ui/section";
import { formatCount } from "@/presentation/format/display-time";
import { overviewSearch } from "@/presentation/filters/parsers";
import { MEASURE_FACTS } from "@/presentation/metrics/measure-facts";
import type { ChartsView, AnswerSeries, WaitingRow } from "@/presentation/views/overview";
import styles from "./overview.module.css";
import type { ChartRange } from "@/presentation/views/common";

const TITLES: Readonly<Record<ChartRange, string>> = {
  "1h": "Last hour",
  "6h": "Last six hours",
  "24h": "Last 24 hours",
  "7d": "Last seven days",
};
const LOOKS: Readonly<Record<AnswerSeries["name"], Pick<Drawn, "draw" | "color">>> = {
  executed: { draw: "bars", color: "executed" },
  replayed: { draw: "outline", color: "replayed" },
  in_progress: { draw: "bars", color: "in-progress" },
  conflict: { draw: "bars", color: "conflict" },
  expired_retry: { draw: "bars", color: "expired" },
  unknown: { draw: "dashed", color: "unknown" },
  first_answer_p95: { draw: "line", color: "ink" },
  oldest_outbox: { draw: "line", color: "ink" },
  oldest_in_progress: { draw: "line", color: "ink" },
};

export interface AnswerSparklinesProps {
  readonly charts: ChartsView;
  readonly now: string;
  readonly asTable: boolean;
  /** Tone of the outbox queue: its line of age says the same. */
  readonly outbox?: WaitingRow["tone"] | undefined;
}

export function AnswerSparklines({ charts, now, asTable, outbox }: AnswerSparklinesProps) {
  const { range } = charts;
  const title = TITLES[range];
  const answered = charts.strips.some((sparkline) => sparkline.unit === "count" && (sparkline.total ?? 0) > 0);
  return (
    <Section title={title} note={noteOf(charts)} right={<Right charts={charts} now={now} asTable={asTable} />}>
      {!answered && <p className={styles["quiet"]}>No request was answered in the {title.toLowerCase()}.</p>}
      <Sparklines
        label={`Answers of the ${title.toLowerCase()}`}
        times={charts.buckets}
        series={charts.strips.map((sparkline) => drawn(sparkline, range, outbox))}
        totalLabel={RANGE_SHORT[range]}
        bands={charts.incidents}
        asTable={asTable}
      />
    </Section>
  );
}

function noteOf({ bucketSeconds, replayRatio }: ChartsView): string {
  const minutes = bucketSeconds / 60;
  const per = minutes === 1 ? "per minute" : minutes === 60 ? "per hour" : `per ${String(minutes)} minutes`;
  const share = replayRatio === undefined ? "" : `, ${(replayRatio * 100).toFixed(1)} % replays`;
  return `${per}, each strip on its own scale${share}`;
}

function Right({ charts, now, asTable }: Pick<AnswerSparklinesProps, "charts" | "now" | "asTable">) {
  const href = (range: ChartRange, table: boolean): string => {
    const search = overviewSearch({ range });
    return table ? `/${search === "" ? "?" : `${search}&`}table=true` : `/${search}`;
  };
  return (
    <>
      <RangeLinks current={charts.range} href={(range) => href(range, asTable)} />
      {charts.rolledUpMs === undefined ? (
        "not rolled up yet"
      ) : (
        <ChartAge
          at={new Date(Date.parse(now) - charts.rolledUpMs).toISOString()}
          now={now}
          asTable={asTable}
          tableHref={href(charts.range, true)}
          chartHref={href(charts.range, false)}
        />
      )}
    </>
  );
}

function drawn(sparkline: AnswerSeries, range: ChartRange, outbox: WaitingRow["tone"] | undefined): Drawn {
  // The same measure on the page of metrics.
  const measure = sparkline.name === "first_answer_p95" ? "latency" : sparkline.name;
  const say = (value: number | null): string =>
    value === null ? "none" : sparkline.unit === "ms" ? shortDuration(value) : formatCount(value);
  const max = sparkline.unit === "ms" && sparkline.total !== null ? " max" : "";
  return {
    id: sparkline.name,
    label: sparkline.label,
    href: `/metrics?range=${range}#${measure}`,
    list: MEASURE_FACTS[measure].list,
    glyph: sparkline.glyph,
    ...LOOKS[sparkline.name],
    values: sparkline.values,
    now: say(sparkline.now),
    total: `${say(sparkline.total)}${max}`,
    unit: sparkline.unit,
    nowTone: sparkline.name === "oldest_outbox" && sparkline.now !== null && outbox !== "plain" ? outbox : undefined,
  };
}
