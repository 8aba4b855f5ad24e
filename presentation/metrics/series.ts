import type { GlyphName } from "../format/glyph";
import type { AnswerSample, MeasureInput } from "./measures";
import { findIncidents, type MinuteFacts } from "./incidents";
import type { OpenAges } from "./measures-now";
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

type Counted = Pick<AnswerSample, "bucket" | "outcome" | "count" | "p95">;

/** Answers that are counted; `outcome` where the roll-up calls it otherwise. */
const COUNTS = [
  { name: "executed", label: "Created" },
  { name: "replayed", label: "Replayed" },
  { name: "in_progress", label: "In progress" },
  { name: "conflict", label: "Conflict" },
  { name: "expired_retry", label: "Expired retry" },
  { name: "unknown", outcome: "unknown_entered", label: "New unknown" },
] as const satisfies readonly { name: AnswerSeries["name"] & GlyphName; outcome?: string; label: string }[];

const GAUGES = [
  { name: "oldest_outbox", gauge: "outbox_oldest_seconds", label: "Oldest in outbox", open: "oldestOutboxMs" },
  {
    name: "oldest_in_progress",
    gauge: "oldest_in_progress_seconds",
    label: "Oldest in progress or stale",
    open: "oldestRunningMs",
  },
] as const;

export const CHART_GAUGES: readonly string[] = GAUGES.map((gauge) => gauge.gauge);

const MINUTE_MS = 60_000;

/** End of the last bucket: it holds every closed minute, so what just happened is drawn; the open minute is not. @param at database time */
export function lastEnd(at: string, bucketSeconds: number): string {
  const closed = Math.floor(Date.parse(at) / MINUTE_MS) * MINUTE_MS;
  const bucketMs = bucketSeconds * 1_000;
  return new Date(Math.ceil(closed / bucketMs) * bucketMs).toISOString();
}

export interface SeriesInput {
  readonly range: ChartRange;
  readonly end: string;
  readonly rolledUpMs: number | undefined;
  readonly counts: readonly Counted[];
  /** Buckets of which something was rolled up. */
  readonly measured: readonly string[];
  /** Answers of the newest whole minute; undefined: none was rolled up lately. */
  readonly latest: readonly Counted[] | undefined;
  /** What waits now: read with everything else that says so. */
  readonly open: OpenAges;
  readonly gauges: MeasureInput["gauges"];
  /** Facts of single minutes; none where the range is longer than a day. */
  readonly minutes?: readonly MinuteFacts[] | undefined;
}

/** Lays roll-ups on one axis. A bucket without answers is 0; one that was not rolled up, and a gauge without a sample, is null, not 0. */
export function buildCharts(input: SeriesInput): ChartsView {
  const { bucketSeconds, buckets: size } = CHART_WINDOWS[input.range];
  const end = Date.parse(input.end);
  const starts = Array.from({ length: size }, (_, index) => end - (size - index) * bucketSeconds * 1_000);
  const at = (bucket: string): number => Math.round((Date.parse(bucket) - (starts[0] ?? 0)) / (bucketSeconds * 1_000));
  const known = new Set(input.measured.map(at));
  const counts = COUNTS.map((each): AnswerSeries => {
    const { name, label } = each;
    const outcome = "outcome" in each ? each.outcome : name;
    const values = starts.map((_, index): number | null => (known.has(index) ? 0 : null));
    for (const row of input.counts) if (row.outcome === outcome) values[at(row.bucket)] = row.count;
    const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
    const now = input.latest && (input.latest.find((row) => row.outcome === outcome)?.count ?? 0);
    return { name, label, glyph: name, unit: "count", values, now: now ?? null, total };
  });
  type Sample = readonly [bucket: string, ms: number | undefined];
  const durations = (
    name: AnswerSeries["name"],
    label: string,
    samples: readonly Sample[],
    now: number | undefined,
  ): AnswerSeries => {
    const values = new Array<number | null>(size).fill(null);
    for (const [bucket, ms] of samples) if (at(bucket) >= 0 && at(bucket) < size) values[at(bucket)] = ms ?? null;
    const known = values.filter((value) => value !== null);
    const total = known.length === 0 ? null : Math.max(...known);
    return { name, label, unit: "ms", values, now: now ?? null, total };
  };
  const executed = input.counts.filter((row) => row.outcome === "executed");
  return {
    range: input.range,
    bucketSeconds,
    buckets: starts.map((start) => new Date(start).toISOString()),
    strips: [
      ...counts,
      durations(
        "first_answer_p95",
        "First answer, p95",
        executed.map(({ bucket, p95 }) => [bucket, p95]),
        input.latest?.find((row) => row.outcome === "executed")?.p95,
      ),
      ...GAUGES.map(({ name, gauge, label, open }) => {
        const sampled = input.gauges.filter((row) => row.name === gauge);
        return durations(
          name,
          label,
          sampled.map(({ bucket, value }) => [bucket, value * 1_000]),
          input.open[open],
        );
      }),
    ],
    incidents: findIncidents(input.minutes ?? []),
    replayRatio: replayRatio(input.counts),
    rolledUpMs: input.rolledUpMs,
  };
}

function replayRatio(rows: readonly Counted[]): number | undefined {
  const sum = (outcome: string): number =>
    rows.filter((row) => row.outcome === outcome).reduce((total, row) => total + row.count, 0);
  const replayed = sum("replayed");
  const all = replayed + sum("executed");
  return all === 0 ? undefined : replayed / all;
}
