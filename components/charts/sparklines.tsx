"use client";

import { Link } from "@/components/ui/link";
import { useRouter } from "@/components/navigation/router";
import { useState, type CSSProperties } from "react";
import { Glyph } from "@/components/ui/values/glyph";
import { useZone } from "@/components/ui/values/use-zone";
import type { Zone } from "@/domain/time-zone";
import { listHref } from "@/presentation/metrics/measure-links";
import { bucketMs, bucketText, clockText, spokenValue, spanOf } from "./axis";
import { ChartTable } from "./chart-table";
import { CursorLayer } from "./cursor-layer";
import { SparklinePlot } from "./sparkline-plot";
import { TimeAxis } from "./time-axis";
import type { IncidentBand, SparklineSeries } from "./types";
import styles from "./sparklines.module.css";

export interface SparklinesProps {
  /** What the strips show, for screen readers: "Answers of the last six hours". */
  readonly label: string;
  /** Start of each bucket, RFC 3339, in order. */
  readonly times: readonly string[];
  readonly series: readonly SparklineSeries[];
  /** Head of the right-most numbers: "6 h". */
  readonly totalLabel: string;
  /** Head of the numbers before them, where they are not of the last whole minute: "this hour". */
  readonly nowLabel?: string | undefined;
  readonly bands?: readonly IncidentBand[] | undefined;
  readonly asTable?: boolean | undefined;
}

const LABELS = 6;

/** Small strips, one per measure on its own scale, sharing one time axis and one cursor. */
export function Sparklines(props: SparklinesProps) {
  const { label, times, series, totalLabel, nowLabel = "now", bands = [], asTable = false } = props;
  const zone = useZone();
  const [active, setActive] = useState<number>();
  if (asTable)
    return (
      <ChartTable
        label={label}
        times={times}
        series={series.map(({ id, label: name, unit, values, list }) => ({
          id,
          label: name,
          unit,
          values,
          href: list && ((index: number) => listHref(list, spanOf(times, index, index))),
        }))}
      />
    );
  const step = bucketMs(times);
  const first = Date.parse(times[0] ?? "");
  const at = (iso: string): number =>
    Math.min(100, Math.max(0, ((Date.parse(iso) - first) / (step * Math.max(1, times.length))) * 100));
  const read = active === undefined ? undefined : bucketText(times[active] ?? "", times, zone);
  return (
    <figure className={styles["strips"]} aria-label={label}>
      <div className="off-phone" />
      <BandNames bands={bands} at={at} zone={zone} />
      <div className={styles["head"]}>{read ?? nowLabel}</div>
      <div className={styles["head"]}>{totalLabel}</div>
      {series.map((one) => (
        <Sparkline key={one.id} {...{ one, times, bands, at, zone, active }} onActive={setActive} />
      ))}
      <div className="off-phone" />
      <TimeAxis times={times} most={LABELS} at={at} zone={zone} className={styles["axis"]} />
    </figure>
  );
}

interface SparklineProps {
  readonly one: SparklineSeries;
  readonly times: readonly string[];
  readonly bands: readonly IncidentBand[];
  /** Percent of the axis. */
  readonly at: (iso: string) => number;
  readonly zone: Zone;
  readonly active: number | undefined;
  readonly onActive: (index: number | undefined) => void;
}

function Sparkline({ one, times, bands, at, zone, active, onActive }: SparklineProps) {
  const router = useRouter();
  const { list } = one;
  const open = (index: number): void => {
    if (list !== undefined) router.push(listHref(list, spanOf(times, index, index)));
  };
  return (
    <div className={styles["strip"]}>
      <div className={styles["label"]}>
        {one.glyph === undefined ? <span className={styles["noGlyph"]} /> : <Glyph name={one.glyph} />}
        {one.href === undefined ? (
          one.label
        ) : (
          <Link href={one.href} data-plain>
            {one.label}
          </Link>
        )}
      </div>
      <div className={styles["plot"]}>
        {bands.map((band) => (
          <i
            key={`${band.label} ${band.from}`}
            style={{
              left: `${String(at(band.from))}%`,
              width: `${String(Math.max(0.6, at(band.to) - at(band.from)))}%`,
            }}
          />
        ))}
        <SparklinePlot series={one} />
        <CursorLayer
          size={times.length}
          active={active}
          onActive={onActive}
          label={one.label}
          say={(index) => `${bucketText(times[index] ?? "", times, zone)}, ${spokenValue(one.values[index], one.unit)}`}
          opens={list?.label}
          onOpen={list === undefined ? undefined : open}
        />
      </div>
      <div className={`toned ${styles["number"]}`} data-tone={active === undefined ? one.nowTone : undefined}>
        {active === undefined ? one.now : spokenValue(one.values[active], one.unit)}
      </div>
      <div className={styles["total"]}>{one.total}</div>
    </div>
  );
}

/** Width of a name, percent of the axis: enough for "new unknown 14:02 to 14:09" on a wide screen. */
const NAME_WIDTH = 36;

/** The names of the bands, each beside its own and never over another: in a second line where there is no room. */
function BandNames({ bands, at, zone }: Pick<SparklineProps, "bands" | "at" | "zone">) {
  const ends: number[] = [];
  const placed = [...bands]
    .map((band) => {
      const left = at(band.to) > 50 ? Math.max(0, at(band.to) - NAME_WIDTH) : at(band.from);
      return { band, left };
    })
    .sort((a, b) => a.left - b.left)
    .map((one) => {
      const free = ends.findIndex((end) => end <= one.left);
      const row = free === -1 ? ends.length : free;
      ends[row] = one.left + NAME_WIDTH;
      return { ...one, row };
    });
  return (
    <div className={styles["incidents"]} style={lines(Math.max(1, ends.length), placed.length)}>
      {placed.map(({ band, row }, index) => {
        const side =
          at(band.to) > 50 ? { right: `${String(100 - at(band.to))}%` } : { left: `${String(at(band.from))}%` };
        return (
          <span key={`${band.label} ${band.from}`} style={{ ...side, ...lines(row, index) }}>
            {band.label} {clockText(band.from, zone)} to {clockText(band.to, zone)}
          </span>
        );
      })}
    </div>
  );
}

/** A line of the names on a wide screen, and on a narrow one, where each has a line of its own. */
function lines(wide: number, narrow: number): CSSProperties {
  return { "--wide": wide, "--narrow": narrow } as CSSProperties;
}
