import type { GlyphName } from "../format/glyph";
import { findIncidents, type MinuteFacts } from "./incidents";
import type { ChartsView, AnswerSeries } from "../views/overview";
import type { ChartRange } from "@/presentation/views/common";

/** Bucket width per range: 60 to 84 bars, whatever the range. */
export const CHART_WINDOWS: Readonly<Record<ChartRange, { readonly bucketSeconds: number; readonly buckets: number }>> =
  {
    "1h": { bucketSeconds: 60, buckets: 60 },
    "6h": { bucketSeconds: 300, buckets: 72 },
    "24h": { bucketSeconds: 1_200, buckets: 72 },
    "7d": { bucketSeconds: 7_200, buckets: 84 },
  };

interface Counted {
  readonly bucket: string;
  readonly outcome: string;
  readonly count: number;
  readonly p95: number | null;
}

interface Gauged {
  readonly bucket: string;
  readonly name: string;
  readonly value: number;
}

const COUNTS: readonly {
  readonly name: AnswerSeries["name"];
  readonly outcome: string;
  readonly label: string;
  readonly glyph: GlyphName;
}[] = [
  { name: "executed", outcome: "executed", label: "Executed", glyph: "executed" },
  { name: "replayed", outcome: "replayed", label: "Replayed", glyph: "replayed" },
  { name: "in_progress", outcome: "in_progress", label: "In progress", glyph: "in_progress" },
  { name: "conflict", outcome: "conflict", label: "Conflict", glyph: "conflict" },
  { name: "expired_retry", outcome: "expired_retry", label: "Expired retry", glyph: "expired_retry" },
  { name: "unknown", outcome: "unknown_entered", label: "New unknown", glyph: "unknown" },
];

const GAUGES: readonly { readonly name: AnswerSeries["name"]; readonly gauge: string; readonly label: string }[] = [
  { name: "oldest_outbox", gauge: "outbox_oldest_seconds", label: "Oldest in outbox" },
  { name: "oldest_in_progress", gauge: "oldest_in_progress_seconds", label: "Oldest in progress" },
];

export const CHART_GAUGES: readonly string[] = GAUGES.map((gauge) => gauge.gauge);

export interface SeriesInput {
  readonly range: ChartRange;
  /** End of the last bucket, RFC 3339; it may still be filling. */
  readonly end: string;
  readonly rolledUpMs: number | undefined;
  readonly counts: readonly Counted[];
  readonly gauges: readonly Gauged[];
  /** Facts of single minutes; none where the range is longer than a day. */
  readonly minutes?: readonly MinuteFacts[] | undefined;
}

/** Lays roll-ups on one axis. A bucket without answers is 0; a gauge without a sample is null, not 0. */
export function buildCharts(input: SeriesInput): ChartsView {
  const { bucketSeconds, buckets: size } = CHART_WINDOWS[input.range];
  const end = Date.parse(input.end);
  const starts = Array.from({ length: size }, (_, index) => end - (size - index) * bucketSeconds * 1_000);
  const at = (bucket: string): number => Math.round((Date.parse(bucket) - (starts[0] ?? 0)) / (bucketSeconds * 1_000));
  const sparklines: AnswerSeries[] = COUNTS.map(({ name, outcome, label, glyph }) => {
    const values = new Array<number>(size).fill(0);
    for (const row of input.counts) if (row.outcome === outcome) values[at(row.bucket)] = row.count;
    return {
      name,
      label,
      glyph,
      unit: "count",
      values,
      now: values.at(-1) ?? null,
      total: values.reduce((sum, value) => sum + value, 0),
    };
  });
  sparklines.push(
    durations(
      "first_answer_p95",
      "First answer, p95",
      size,
      input.counts.filter((row) => row.outcome === "executed").map((row) => [at(row.bucket), row.p95]),
    ),
  );
  for (const { name, gauge, label } of GAUGES) {
    sparklines.push(
      durations(
        name,
        label,
        size,
        input.gauges.filter((row) => row.name === gauge).map((row) => [at(row.bucket), row.value * 1_000]),
      ),
    );
  }
  return {
    range: input.range,
    bucketSeconds,
    buckets: starts.map((start) => new Date(start).toISOString()),
    strips: sparklines,
    incidents: findIncidents(input.minutes ?? []),
    replayRatio: replayRatio(input.counts),
    rolledUpMs: input.rolledUpMs,
  };
}

function durations(
  name: AnswerSeries["name"],
  label: string,
  size: number,
  samples: readonly (readonly [number, number | null])[],
): AnswerSeries {
  const values = new Array<number | null>(size).fill(null);
  for (const [index, value] of samples) if (index >= 0 && index < size) values[index] = value;
  const known = values.filter((value) => value !== null);
  return {
    name,
    label,
    unit: "ms",
    values,
    now: values.at(-1) ?? null,
    total: known.length === 0 ? null : Math.max(...known),
  };
}

function replayRatio(rows: readonly Counted[]): number | undefined {
  const sum = (outcome: string): number =>
    rows.filter((row) => row.outcome === outcome).reduce((total, row) => total + row.count, 0);
  const replayed = sum("replayed");
  const all = replayed + sum("executed");
  return all === 0 ? undefined : replayed / all;
}
