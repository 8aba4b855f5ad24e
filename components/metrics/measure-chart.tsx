"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { axisText, axisTimes, bucketMs, bucketText, gridOf, say } from "@/components/charts/axis";
import { ChartTable } from "@/components/charts/chart-table";
import { CursorLayer } from "@/components/charts/cursor-layer";
import { listHref, whole } from "@/components/charts/list-href";
import { StripPlot } from "@/components/charts/strip-plot";
import { seriesColor } from "@/components/charts/types";
import { useZone } from "@/components/ui/use-zone";
import { hrefWith, type PageAddress } from "@/domain/page-address";
import type { MeasureChart as Chart } from "@/domain/views/metrics";
import { endLabels, type EndLabel } from "./end-labels";
import { lookOf } from "./measure-looks";
import styles from "./metrics.module.css";

const LABELS = 5;
const Plot = dynamic(async () => (await import("@/components/charts/measure-plot")).MeasurePlot, {
  ssr: false,
  loading: () => null,
});

export interface MeasureChartProps {
  readonly chart: Chart;
  readonly times: readonly string[];
  readonly group?: string | undefined;
  readonly address: PageAddress;
  readonly asTable: boolean;
}

/** One measure: its number, its drawing with cursor and zoom, or the same as a table. */
export function MeasureChart({ chart, times, group, address, asTable }: MeasureChartProps) {
  const zone = useZone();
  const [active, setActive] = useState<number>();
  const { name, title, unit, series, threshold } = chart;
  const single = series.length === 1 ? series[0] : undefined;
  const first = series[0];
  const read =
    active === undefined
      ? undefined
      : `${bucketText(times[active] ?? "", times, zone)}: ${series
          .map((one) => (single === undefined ? `${one.label} ` : "") + say(one.values[active], unit))
          .join(", ")}`;
  return (
    <article className={styles["chart"]} id={name} aria-labelledby={`${name}-title`}>
      <header className={styles["chartHead"]}>
        <h3 id={`${name}-title`}>{title}</h3>
        <span className={styles["now"]}>
          {single !== undefined && (
            <>
              <b>{say(single.now, unit)}</b> now, {totalOf(chart, single.total)}
            </>
          )}
        </span>
      </header>
      <p className={styles["note"]} data-read={read !== undefined || undefined}>
        {read ?? chart.note}
      </p>
      {first === undefined ? (
        <p className={styles["none"]}>Nothing was answered in this time.</p>
      ) : asTable ? (
        <ChartTable
          label={`${title} as a table`}
          times={times}
          series={series.map((one) => ({ id: one.label, label: one.label, unit, values: one.values }))}
        />
      ) : (
        <Drawn {...{ chart, times, group, address, active }} onActive={setActive} />
      )}
      <footer className={styles["foot"]}>
        {threshold !== undefined && (
          <span className={styles["threshold"]}>
            <i aria-hidden /> {say(threshold.value, unit)}, {threshold.label}
          </span>
        )}
        <span className={styles["links"]}>
          {chart.list !== undefined && (
            <Link href={listHref(chart.list, times, 0, times.length - 1)} prefetch={false}>
              {chart.list.label}
            </Link>
          )}
          <Link href={hrefWith(address, { table: asTable ? undefined : name })} scroll={false} prefetch={false}>
            {asTable ? "as a chart" : "as a table"}
          </Link>
        </span>
      </footer>
    </article>
  );
}

function totalOf({ unit, name }: Chart, total: number | null): string {
  if (total === null) return "none measured";
  if (unit === "share") return `${say(total, unit)} over all`;
  return unit === "ms" || name === "open" || name === "dead_letters"
    ? `${say(total, unit)} at most`
    : `${say(total, unit)} in all`;
}

type DrawnProps = Omit<MeasureChartProps, "asTable"> & {
  readonly active: number | undefined;
  readonly onActive: (index: number | undefined) => void;
};

function Drawn({ chart, times, group, address, active, onActive }: DrawnProps) {
  const router = useRouter();
  const zone = useZone();
  const { name, title, unit, series, threshold, list } = chart;
  const lines = series.map((one, index) => ({ ...lookOf(name, one), id: `s${String(index)}`, values: one.values }));
  const known = series.flatMap((one) => one.values.filter((value) => value !== null));
  const grid = gridOf(Math.max(unit === "share" ? 0.01 : 1, near(threshold?.value, known), ...known), unit);
  const labels = axisTimes(times, LABELS);
  const span = bucketMs(times) * Math.max(1, times.length);
  const left = (iso: string): string => `${String(((Date.parse(iso) - Date.parse(times[0] ?? "")) / span) * 100)}%`;
  const ends = series.length > 1 ? endLabels(series, grid[grid.length - 1] ?? 1) : [];
  return (
    <div className={styles["drawn"]} data-ends={ends.length > 0 || undefined}>
      <div className={styles["plot"]}>
        {lines[0] !== undefined && (
          <div className={styles["preview"]}>
            <StripPlot series={lines[0]} />
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
              `${bucketText(times[index] ?? "", times, zone)}, ${series.map((one) => (series.length > 1 ? `${one.label} ` : "") + say(one.values[index], unit)).join(", ")}`
            }
            onOpen={
              list === undefined
                ? undefined
                : (index) => {
                    router.push(listHref(list, times, index, index, ofGroup(list.path, group, series)));
                  }
            }
            onZoom={(from, to) => {
              router.push(zoomHref(address, times, from, to));
            }}
          />
        </div>
        <div className={styles["axis"]} aria-hidden>
          {labels.map((iso) => (
            <span key={iso} style={{ left: left(iso) }}>
              {axisText(iso, labels, zone)}
            </span>
          ))}
        </div>
      </div>
      {ends.length > 0 && <Ends ends={ends} chart={chart} />}
    </div>
  );
}

/** The threshold belongs to the scale once a value comes near it; a quiet chart is not pressed to its base. */
function near(threshold: number | undefined, known: readonly number[]): number {
  const highest = Math.max(0, ...known);
  return threshold !== undefined && highest > threshold / 4 ? threshold : 0;
}

/** With a single group its list is asked for; among several a click cannot say which one is meant. */
function ofGroup(path: string, group: string | undefined, series: Chart["series"]): Record<string, string> {
  const [only, ...others] = series;
  if (group === undefined || path !== "/operations" || only === undefined || others.length > 0 || only.slot > 5)
    return {};
  return { [group]: only.label };
}

function zoomHref(address: PageAddress, times: readonly string[], first: number, last: number): string {
  const to = new Date(Date.parse(times[last] ?? "") + bucketMs(times)).toISOString();
  return hrefWith(address, { range: undefined, from: whole(times[first]), to: whole(to) });
}

function Ends({ ends, chart }: { readonly ends: readonly EndLabel[]; readonly chart: Chart }) {
  return (
    <ul className={styles["ends"]}>
      {ends.map((end) => {
        const look = lookOf(chart.name, end);
        return (
          <li key={end.label} style={{ top: `${String(end.top)}px` }} title={end.label}>
            <svg width="16" height="8" aria-hidden>
              <path d="M0 4H16" stroke={seriesColor(look.color)} strokeWidth={2} strokeDasharray={look.dash} />
            </svg>
            <span>{end.label}</span>
          </li>
        );
      })}
    </ul>
  );
}
