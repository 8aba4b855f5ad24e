"use client";

import dynamic from "next/dynamic";
import { Link } from "@/components/ui/link";
import { useRouter } from "@/components/navigation/router";
import { useState } from "react";
import { bucketMs, bucketText, gridOf, NO_DATA, spokenValue, spanOf } from "@/components/charts/axis";
import { TimeAxis } from "@/components/charts/time-axis";
import { CursorLayer } from "@/components/charts/cursor-layer";
import { SparklinePlot } from "@/components/charts/sparkline-plot";
import { PLOT_HEIGHT, PLOT_TOP, seriesColor } from "@/components/charts/types";
import { useZone } from "@/components/ui/values/use-zone";
import { groupOfLine, lineAt, listHref, listLabel, withoutMilliseconds } from "@/presentation/metrics/measure-links";
import { displayMoney, minorDigits } from "@/domain/money";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { MeasureChart as Chart } from "@/presentation/views/metrics";
import type { MetricGroup } from "@/domain/lists/filters";
import { endLabels, type EndLabel } from "./end-labels";
import { measureStyle, chartNames } from "./measure-style";
import styles from "./metrics.module.css";

const LABELS = 5;
const Plot = dynamic(async () => (await import("@/components/charts/measure-plot")).MeasurePlot, {
  ssr: false,
  loading: () => null,
});
/** Loaded with the page where somebody asks for it: most look at the drawing. */
const ChartTable = dynamic(async () => (await import("@/components/charts/chart-table")).ChartTable);

export interface MeasureChartProps {
  readonly chart: Chart;
  readonly times: readonly string[];
  readonly group?: MetricGroup | undefined;
  readonly address: PageAddress;
  readonly asTable: boolean;
}

/** One measure: its number, its drawing with cursor and zoom, or the same as a table. */
export function MeasureChart({ chart, times, group, address, asTable }: MeasureChartProps) {
  const zone = useZone();
  const [active, setActive] = useState<number>();
  const { series, threshold, list } = chart;
  const { id, title, unit } = chartNames(chart);
  const single = series.length === 1 ? series[0] : undefined;
  const first = series[0];
  const nothing = nothingText(chart);
  const read =
    active === undefined
      ? undefined
      : `${bucketText(times[active] ?? "", times, zone)}: ${series
          .map((one) => (single === undefined ? `${one.label} ` : "") + valueText(chart, one, active))
          .join(", ")}`;
  return (
    <article className={styles["chart"]} id={id} aria-labelledby={`${id}-title`}>
      <header className={styles["chartHead"]}>
        <h3 id={`${id}-title`}>{title}</h3>
        <span className={styles["now"]}>
          {single !== undefined && (
            <>
              <b>{single.exact === undefined ? spokenValue(single.now, unit) : moneyText(single.exact.now, chart)}</b>{" "}
              {chart.section === "waiting" ? "now" : "in the last minute"},{" "}
              {single.exact === undefined
                ? totalOf(chart, single.total)
                : `${moneyText(single.exact.total, chart)} in all`}
            </>
          )}
        </span>
      </header>
      <p className={styles["note"]} data-read={read !== undefined || undefined}>
        {read ?? chart.note}
      </p>
      {nothing !== undefined && (first === undefined || !asTable) ? (
        <p className={styles["none"]}>{nothing}</p>
      ) : asTable ? (
        <ChartTable
          label={`${title} as a table`}
          times={times}
          series={series.map((one) => ({
            id: one.label,
            label: one.label,
            unit,
            values: one.values,
            words: one.exact?.values.map((minor) => moneyText(minor, chart)),
            href: list && ((index) => listHref(list, spanOf(times, index, index), groupOfLine(group, one))),
          }))}
        />
      ) : (
        <Drawn {...{ chart, times, group, address, active }} onActive={setActive} />
      )}
      <footer className={styles["foot"]}>
        {threshold !== undefined && (
          <span className={styles["threshold"]}>
            <i aria-hidden /> {spokenValue(threshold.value, unit)}, {threshold.label}
          </span>
        )}
        <span className={styles["links"]}>
          {list !== undefined && (
            <Link href={listHref(list, spanOf(times, 0, times.length - 1))}>{listLabel(list, group)}</Link>
          )}
          <Link href={hrefWith(address, { table: asTable ? undefined : id })} scroll={false}>
            {asTable ? "as a chart" : "as a table"}
          </Link>
        </span>
      </footer>
    </article>
  );
}

/** Instead of an empty drawing. What is sampled may have been there between two samples: of it no zero is called none. */
function nothingText(chart: Chart): string | undefined {
  const { series, section } = chart;
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  if (series.length === 0) return "No answer is in the roll-ups of this time.";
  if (known.length === 0) return "No value in this time.";
  const counted = chartNames(chart).unit === "count" && section !== "waiting";
  return counted && known.every((value) => value === 0) ? "None was counted in this time." : undefined;
}

function moneyText(minor: string | null | undefined, { currency }: Chart): string {
  return minor === null || minor === undefined || currency === undefined
    ? NO_DATA
    : displayMoney(BigInt(minor), currency);
}

function valueText(chart: Chart, one: Chart["series"][number], index: number): string {
  return one.exact === undefined
    ? spokenValue(one.values[index], chartNames(chart).unit)
    : moneyText(one.exact.values[index], chart);
}

/** As it is drawn: money in its major unit, where a number is exact enough. */
function drawnValues({ currency }: Chart, values: readonly (number | null)[]): readonly (number | null)[] {
  if (currency === undefined) return values;
  const major = 10 ** minorDigits(currency);
  return values.map((value) => (value === null ? null : value / major));
}

function totalOf({ unit, name }: Chart, total: number | null): string {
  if (total === null) return "none measured";
  if (unit === "money") return "";
  if (unit === "share") return `${spokenValue(total, unit)} over all`;
  return unit === "ms" || name === "open" || name === "dead_letters"
    ? `${spokenValue(total, unit)} at most`
    : `${spokenValue(total, unit)} in all`;
}

type DrawnProps = Omit<MeasureChartProps, "asTable"> & {
  readonly active: number | undefined;
  readonly onActive: (index: number | undefined) => void;
};

function Drawn({ chart, times, group, address, active, onActive }: DrawnProps) {
  const router = useRouter();
  const zone = useZone();
  const { name, series, threshold, list } = chart;
  const { title, unit } = chartNames(chart);
  const lines = series.map((one, index) => ({
    ...measureStyle(name, one),
    id: `s${String(index)}`,
    values: drawnValues(chart, one.values),
  }));
  const known = lines.flatMap((one) => one.values.filter((value) => value !== null));
  const span = bucketMs(times) * Math.max(1, times.length);
  const at = (iso: string): number => ((Date.parse(iso) - Date.parse(times[0] ?? "")) / span) * 100;
  const grid = gridOf(Math.max(unit === "share" ? 0.01 : 1, near(threshold?.value, known), ...known), unit);
  const top = grid[grid.length - 1] ?? 1;
  const groupAt = (index: number, at?: number) => {
    const values = lines.map((line) => line.values[index] ?? null);
    const line = series[meantLine(values, top, at) ?? -1];
    return line && groupOfLine(group, line);
  };
  const ends =
    series.length > 1 || series.some(({ slot }) => slot > 0)
      ? endLabels(
          series.map((one, index) => ({ ...one, values: lines[index]?.values ?? [] })),
          top,
        )
      : [];
  return (
    <div className={styles["drawn"]} data-ends={ends.length > 0 || undefined}>
      <div className={styles["plot"]}>
        {lines[0] !== undefined && (
          <div className={styles["preview"]}>
            <SparklinePlot series={lines[0]} />
          </div>
        )}
        <div className={styles["recharts"]}>
          <Plot times={times} lines={lines} unit={unit} grid={grid} threshold={threshold?.value} />
        </div>
        <div className={styles["over"]}>
          <CursorLayer
            size={times.length}
            active={active}
            onActive={onActive}
            label={title}
            say={(index) =>
              `${bucketText(times[index] ?? "", times, zone)}, ${series.map((one) => (series.length > 1 ? `${one.label} ` : "") + valueText(chart, one, index)).join(", ")}`
            }
            opens={list === undefined ? undefined : listLabel(list, group, groupAt(0))}
            onOpen={
              list === undefined
                ? undefined
                : (index, at) => {
                    router.push(listHref(list, spanOf(times, index, index), groupAt(index, at)));
                  }
            }
            onZoom={(from, to) => {
              router.push(zoomHref(address, times, from, to));
            }}
          />
        </div>
        <TimeAxis times={times} most={LABELS} at={at} zone={zone} className={styles["axis"]} />
      </div>
      {ends.length > 0 && <Ends ends={ends} {...{ chart, group, times }} />}
    </div>
  );
}

/** The only line is meant; of several, the one that the pointer is on. A key is on none: the table has a link for each. */
function meantLine(values: readonly (number | null)[], top: number, at: number | undefined): number | undefined {
  if (values.length === 1) return 0;
  return at === undefined ? undefined : lineAt(values, { at, top, height: PLOT_HEIGHT - PLOT_TOP });
}

/** The threshold belongs to the scale once a value comes near it; a quiet chart is not pressed to its base. */
function near(threshold: number | undefined, known: readonly number[]): number {
  const highest = Math.max(0, ...known);
  return threshold !== undefined && highest > threshold / 4 ? threshold : 0;
}

function zoomHref(address: PageAddress, times: readonly string[], first: number, last: number): string {
  const { from, to } = spanOf(times, first, last);
  return hrefWith(address, { range: undefined, from: withoutMilliseconds(from), to: withoutMilliseconds(to) });
}

interface EndsProps extends Pick<MeasureChartProps, "chart" | "group" | "times"> {
  readonly ends: readonly EndLabel[];
}

function Ends({ ends, chart, group, times }: EndsProps) {
  const { list } = chart;
  return (
    <ul className={styles["ends"]}>
      {ends.map((end) => {
        const look = measureStyle(chart.name, end);
        const one = groupOfLine(group, end);
        const known = list !== undefined && one !== undefined && list.groups.includes(one.by);
        return (
          <li
            key={end.label}
            style={{ top: `${String(end.top)}px` }}
            title={
              known ? listLabel(list, group, one) : group === undefined ? end.label : `${end.label}: no list has it`
            }
          >
            <svg width="16" height="8" aria-hidden>
              <path d="M0 4H16" stroke={seriesColor(look.color)} strokeWidth={2} strokeDasharray={look.dash} />
            </svg>
            {!known ? (
              <span>{end.label}</span>
            ) : (
              <Link href={listHref(list, spanOf(times, 0, times.length - 1), one)} data-plain>
                {end.label}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
