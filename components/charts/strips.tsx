"use client";

import { formatClock } from "@/domain/display-time";
import { Glyph } from "@/components/ui/glyph";
import { useZone } from "@/components/ui/use-zone";
import { StripPlot, say } from "./strip-plot";
import type { IncidentBand, StripSeries } from "./types";
import styles from "./strips.module.css";

export interface StripsProps {
  /** What the strips show, for screen readers: "Answers of the last six hours". */
  readonly label: string;
  /** Start of each bucket, RFC 3339, in order. */
  readonly times: readonly string[];
  readonly series: readonly StripSeries[];
  /** Head of the right-most numbers: "6 h". */
  readonly totalLabel: string;
  readonly bands?: readonly IncidentBand[] | undefined;
  /** Draws the same numbers as a table. */
  readonly asTable?: boolean | undefined;
  readonly syncId?: string | undefined;
}

const LABELS = 6;

/** Small strips, one per measure on its own scale, sharing one time axis. */
export function Strips(props: StripsProps) {
  const { label, times, series, totalLabel, bands = [], asTable = false, syncId = "strips" } = props;
  const zone = useZone();
  if (asTable) return <StripsTable {...props} />;
  const first = Date.parse(times[0] ?? "");
  const step = times.length > 1 ? Date.parse(times[1] ?? "") - first : 1;
  const span = step * Math.max(1, times.length);
  const at = (iso: string): number => Math.min(100, Math.max(0, ((Date.parse(iso) - first) / span) * 100));
  return (
    <figure className={styles["strips"]} aria-label={label}>
      <div className={styles["corner"]} />
      <div className={styles["incidents"]}>
        {bands.map((band) => (
          <span
            key={band.from}
            style={
              at(band.to) > 50 ? { right: `${String(100 - at(band.to))}%` } : { left: `${String(at(band.from))}%` }
            }
          >
            {band.label}
          </span>
        ))}
      </div>
      <div className={styles["head"]}>now</div>
      <div className={styles["head"]}>{totalLabel}</div>
      {series.map((one) => (
        <div key={one.id} className={styles["strip"]}>
          <div className={styles["label"]}>
            {one.glyph === undefined ? <span className={styles["noGlyph"]} /> : <Glyph name={one.glyph} />}
            {one.label}
          </div>
          <div className={styles["plot"]}>
            {bands.map((band) => (
              <i
                key={band.from}
                style={{
                  left: `${String(at(band.from))}%`,
                  width: `${String(Math.max(0.6, at(band.to) - at(band.from)))}%`,
                }}
              />
            ))}
            <StripPlot times={times} series={one} syncId={syncId} />
          </div>
          <div className={styles["number"]} data-tone={one.nowTone}>
            {one.now}
          </div>
          <div className={styles["total"]}>{one.total}</div>
        </div>
      ))}
      <div className={styles["corner"]} />
      <div className={styles["axis"]} aria-hidden>
        {axisLabels(times).map((iso) => (
          <span key={iso} style={{ left: `${String(at(iso))}%` }}>
            {formatClock(iso, zone).slice(0, 5)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Round moments: the widest of these steps that still gives enough labels. */
function axisLabels(times: readonly string[]): readonly string[] {
  const from = Date.parse(times[0] ?? "");
  const to = Date.parse(times[times.length - 1] ?? "");
  if (Number.isNaN(from) || Number.isNaN(to)) return [];
  const minutes = [1, 5, 10, 15, 30, 60, 180, 360, 720, 1440, 10_080];
  const step = (minutes.find((m) => (to - from) / (m * 60_000) <= LABELS) ?? 10_080) * 60_000;
  const labels: string[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) labels.push(new Date(at).toISOString());
  return labels;
}

function StripsTable({ label, times, series }: StripsProps) {
  const zone = useZone();
  return (
    <div className={styles["scroll"]} tabIndex={0} role="region" aria-label={label}>
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map((one) => (
              <th key={one.id} scope="col">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, index) => (
            <tr key={at}>
              <th scope="row">{formatClock(at, zone).slice(0, 5)}</th>
              {series.map((one) => {
                const value = one.values[index];
                return <td key={one.id}>{typeof value === "number" ? say(value, one) : "none"}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
