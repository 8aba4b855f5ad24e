import type { PageClaim } from "@/domain/page-claim";
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
  /** Buckets of which something was rolled up. */
  readonly measured: readonly string[];
  /** The newest whole minute, `null` where nothing was done in it; undefined: none was rolled up lately. */
  readonly latest: PlaceSample | null | undefined;
}

/** Lays the roll-ups of one place on one axis. A bucket without messages counts 0 and has no lag; one that was not rolled up is null. */
export function buildPlaceChart({ range, end, rolledUpMs, samples, measured, latest }: PlaceChartInput): PlaceChart {
  const { bucketSeconds, buckets: size } = CHART_WINDOWS[range];
  const first = Date.parse(end) - size * bucketSeconds * 1_000;
  const slotOf = (bucket: string): number => Math.round((Date.parse(bucket) - first) / (bucketSeconds * 1_000));
  const slots = new Map(samples.map((sample) => [slotOf(sample.bucket), sample]));
  const known = new Set([...measured.map(slotOf), ...slots.keys()]);
  const values = <Value>(read: (sample: PlaceSample | undefined) => Value): (Value | null)[] =>
    Array.from({ length: size }, (_, index) => (known.has(index) ? read(slots.get(index)) : null));
  const count = (name: "succeeded" | "failed" | "dead"): PlaceSeries => {
    const counts = values((sample) => sample?.[name] ?? 0);
    return {
      name,
      unit: "count",
      values: counts,
      now: latest === undefined ? null : (latest?.[name] ?? 0),
      total: counts.reduce<number>((sum, value) => sum + (value ?? 0), 0),
    };
  };
  const lag = (name: "lag_p95" | "lag_max", read: (sample: PlaceSample) => number | undefined): PlaceSeries => {
    const lags = values((sample) => (sample && read(sample)) ?? null);
    const known = lags.filter((value) => value !== null);
    return {
      name,
      unit: "ms",
      values: lags,
      now: (latest && read(latest)) ?? null,
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

type Strips = readonly Pick<PlaceSeries, "unit" | "values" | "total">[];
const counts = (strips: Strips): Strips => strips.filter(({ unit }) => unit !== "ms");
const isIdle = (strips: Strips): boolean => counts(strips).every(({ total }) => (total ?? 0) === 0);
const isKnown = (value: number | null): boolean => value !== null;

/** What stands above the strips of a place where nothing was counted: what was not rolled up may hold something. */
export const NOTHING_DONE: readonly PageClaim<Strips>[] = [
  {
    name: "nothing known",
    holds: (strips) => isIdle(strips) && !counts(strips).some(({ values }) => values.some(isKnown)),
    words: () => "Nothing was rolled up of this time.",
  },
  {
    name: "nothing in a part",
    holds: (strips) =>
      isIdle(strips) &&
      counts(strips).some(({ values }) => values.some(isKnown)) &&
      !counts(strips).every(({ values }) => values.every(isKnown)),
    words: () => "Nothing was done here in what was rolled up of this time.",
  },
  {
    name: "nothing",
    holds: (strips) =>
      isIdle(strips) &&
      counts(strips).some(({ values }) => values.some(isKnown)) &&
      counts(strips).every(({ values }) => values.every(isKnown)),
    words: () => "Nothing was done here in this time.",
  },
];
