import { CHART_WINDOWS } from "../metrics/series";
import type { PlaceChart, PlaceSeries } from "../views/places";
import type { ChartRange } from "@/presentation/views/common";

export interface PlaceSample {
  /** RFC 3339. */
  readonly bucket: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly lagP95Ms?: number | undefined;
  readonly lagMaxMs?: number | undefined;
}

export interface PlaceChartInput {
  readonly range: ChartRange;
  /** End of the last bucket, RFC 3339. */
  readonly end: string;
  readonly rolledUpMs: number | undefined;
  readonly samples: readonly PlaceSample[];
}

/** Lays the roll-ups of one place on one axis. A bucket without messages counts 0 and has no lag. */
export function buildPlaceChart({ range, end, rolledUpMs, samples }: PlaceChartInput): PlaceChart {
  const { bucketSeconds, buckets: size } = CHART_WINDOWS[range];
  const first = Date.parse(end) - size * bucketSeconds * 1_000;
  const slots = new Map(
    samples.map((sample) => [Math.round((Date.parse(sample.bucket) - first) / (bucketSeconds * 1_000)), sample]),
  );
  const values = <Value>(read: (sample: PlaceSample | undefined) => Value): Value[] =>
    Array.from({ length: size }, (_, index) => read(slots.get(index)));
  const count = (name: "succeeded" | "failed" | "dead"): PlaceSeries => {
    const counts = values((sample) => sample?.[name] ?? 0);
    return {
      name,
      unit: "count",
      values: counts,
      now: counts.at(-1) ?? null,
      total: counts.reduce((sum, value) => sum + value, 0),
    };
  };
  const lag = (name: "lag_p95" | "lag_max", read: (sample: PlaceSample) => number | undefined): PlaceSeries => {
    const lags = values((sample) => (sample && read(sample)) ?? null);
    const known = lags.filter((value) => value !== null);
    return {
      name,
      unit: "ms",
      values: lags,
      now: lags.at(-1) ?? null,
      total: known.length === 0 ? null : Math.max(...known),
    };
  };
  return {
    range,
    bucketSeconds,
    buckets: Array.from({ length: size }, (_, index) => new Date(first + index * bucketSeconds * 1_000).toISOString()),
    strips: [
      count("succeeded"),
      count("failed"),
      count("dead"),
      lag("lag_p95", (sample) => sample.lagP95Ms),
      lag("lag_max", (sample) => sample.lagMaxMs),
    ],
    rolledUpMs,
  };
}
