import { SparklineSection, stripValues } from "@/components/charts/sparkline-section";
import type { SparklineSeries } from "@/components/charts/types";
import { claimWords } from "@/domain/page-claim";
import { hrefWith, pageParam, type PageAddress } from "@/presentation/list/page-address";
import { NOTHING_DONE } from "@/presentation/message/place-chart";
import type { PlaceChart, PlaceSeries } from "@/presentation/views/places";
import styles from "./messages.module.css";
import type { MessageSide } from "@/domain/messages/side";

export interface PlaceChartsProps {
  readonly side: MessageSide;
  readonly label: string;
  readonly chart: PlaceChart;
  readonly now: string;
  readonly address: PageAddress;
}

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
  dead: "Died",
  lag_p95: "Lag, p95",
  lag_max: "Lag, longest",
};

/** What was done, what failed and how late it was, over one time axis, from the roll-ups alone. */
export function PlaceCharts({ side, label, chart, now, address }: PlaceChartsProps) {
  const [none] = claimWords(NOTHING_DONE, chart.strips);
  return (
    <SparklineSection
      chart={chart}
      series={chart.strips.map((strip) => drawn(side, strip))}
      note={`${per(chart.bucketSeconds)}, each strip on its own scale`}
      label={`${label},`}
      none={() => none !== undefined && <p className={styles["counts"]}>{none}</p>}
      now={now}
      asTable={pageParam(address, "table") === "true"}
      rangeHref={(range) => hrefWith(address, { range })}
      tableHref={(asTable) => hrefWith(address, { table: asTable ? "true" : undefined })}
    />
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

function drawn(side: MessageSide, strip: PlaceSeries): SparklineSeries {
  const { name, now } = strip;
  return {
    ...stripValues(strip),
    ...LOOKS[name],
    label: name === "succeeded" && side === "inbox" ? "Handled" : LABELS[name],
    nowTone: name === "dead" && (now ?? 0) > 0 ? "broken" : undefined,
  };
}
