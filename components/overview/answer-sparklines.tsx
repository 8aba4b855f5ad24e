import { SparklineSection, stripValues } from "@/components/charts/sparkline-section";
import type { SparklineSeries as Drawn } from "@/components/charts/types";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { MEASURE_FACTS } from "@/presentation/metrics/measure-facts";
import type { ChartsView, AnswerSeries, WaitingRow } from "@/presentation/views/overview";
import styles from "./overview.module.css";
import type { ChartRange } from "@/presentation/views/common";

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
  /** Of the page: the chart of money at risk and its window stay what they are. */
  readonly address: PageAddress;
}

export function AnswerSparklines({ charts, now, asTable, outbox, address }: AnswerSparklinesProps) {
  const counts = charts.strips.filter(({ unit }) => unit === "count");
  // Minutes that were not rolled up yet may hold answers: without a count of every one nothing is said.
  const none =
    charts.rolledUpMs !== undefined &&
    counts.every(({ total, values }) => total === 0 && values.every((value) => value !== null));
  return (
    <SparklineSection
      chart={charts}
      series={charts.strips.map((strip) => drawn(strip, charts.range, outbox))}
      note={noteOf(charts)}
      label="Answers of the"
      none={(time) => none && <p className={styles["quiet"]}>No request was answered in the {time}.</p>}
      bands={charts.incidents}
      now={now}
      asTable={asTable}
      rangeHref={(range) => hrefWith(address, { range })}
      tableHref={(table) => hrefWith(address, { range: charts.range, table: table ? "true" : undefined })}
    />
  );
}

function noteOf({ bucketSeconds, replayRatio }: ChartsView): string {
  const minutes = bucketSeconds / 60;
  const per = minutes === 1 ? "per minute" : minutes === 60 ? "per hour" : `per ${String(minutes)} minutes`;
  const share = replayRatio === undefined ? "" : `, ${(replayRatio * 100).toFixed(1)} % replays`;
  return `${per}, each strip on its own scale${share}`;
}

function drawn(strip: AnswerSeries, range: ChartRange, outbox: WaitingRow["tone"] | undefined): Drawn {
  const { name, label, glyph, now } = strip;
  // The same measure on the page of metrics.
  const measure = name === "first_answer_p95" ? "latency" : name;
  return {
    ...stripValues(strip),
    ...LOOKS[name],
    label,
    href: `/metrics?range=${range}#${measure}`,
    list: MEASURE_FACTS[measure].list,
    glyph,
    nowTone: name === "oldest_outbox" && now !== null && outbox !== "plain" ? outbox : undefined,
  };
}
