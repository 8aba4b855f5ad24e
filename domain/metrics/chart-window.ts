/** The time that charts cover and how it is cut into buckets. Pure: the moment of reading is passed in. */

export interface ChartWindow {
  /** RFC 3339, start of the first bucket. */
  readonly from: string;
  /** End of the last bucket; it may still be filling. */
  readonly to: string;
  /** Whole minutes; from an hour on, whole hours. */
  readonly bucketSeconds: number;
  readonly buckets: number;
}

export const METRIC_RANGES = ["1h", "6h", "24h", "7d", "30d"] as const;
export type MetricRange = (typeof METRIC_RANGES)[number];
const RANGE_SECONDS: Readonly<Record<MetricRange, number>> = {
  "1h": 3_600,
  "6h": 21_600,
  "24h": 86_400,
  "7d": 604_800,
  "30d": 2_592_000,
};
/** At most this many buckets, whatever the time: bars that can be told apart. */
const MOST_BUCKETS = 90;
const STEPS = [60, 300, 600, 1_200, 3_600, 7_200, 10_800, 21_600, 28_800, 86_400, 604_800];
const SHORTEST_SECONDS = 300;
const LONGEST_SECONDS = 366 * 86_400;

export interface AskedTime {
  readonly range: MetricRange;
  /** Instead of the range. RFC 3339. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whole buckets around what was asked for; never in the future, 5 minutes to 366 days. @param now RFC 3339, of the database */
export function chartWindow(asked: AskedTime, now: string): ChartWindow {
  const present = Math.ceil(Date.parse(now) / 60_000) * 60;
  const last = Math.min(present, seconds(asked.to) ?? present);
  const span = asked.from === undefined ? RANGE_SECONDS[asked.range] : last - (seconds(asked.from) ?? last);
  const bounded = Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, span));
  const bucketSeconds = STEPS.find((step) => bounded / step <= MOST_BUCKETS) ?? 604_800;
  const end = Math.ceil(last / bucketSeconds) * bucketSeconds;
  const buckets =
    asked.from === undefined
      ? Math.ceil(bounded / bucketSeconds)
      : Math.max(1, Math.ceil((end - Math.floor((last - bounded) / bucketSeconds) * bucketSeconds) / bucketSeconds));
  return { from: text(end - buckets * bucketSeconds), to: text(end), bucketSeconds, buckets };
}

/**
 * @returns the time from the first minute that was measured on, where a range that nobody chose would begin before it
 * @param first of the database, as `now`; undefined: nothing was measured
 */
export function firstMinutes(asked: AskedTime, now: string, first: string | undefined): AskedTime | undefined {
  if (first === undefined || asked.from !== undefined || asked.to !== undefined) return undefined;
  return Date.parse(first) > Date.parse(now) - RANGE_SECONDS[asked.range] * 1_000
    ? { ...asked, from: first }
    : undefined;
}

/** One whole minute as a time of charts. @param start RFC 3339 */
export function minuteWindow(start: string): ChartWindow {
  const first = Date.parse(start) / 1_000;
  return { from: text(first), to: text(first + 60), bucketSeconds: 60, buckets: 1 };
}

export function bucketStarts(window: ChartWindow): readonly string[] {
  const first = Date.parse(window.from) / 1_000;
  return Array.from({ length: window.buckets }, (_, index) => text(first + index * window.bucketSeconds));
}

/** @returns the time moved by parts of its length, and stretched around its middle: 0.5 zooms in, 2 out. */
export function movedWindow(window: ChartWindow, by: number, stretch = 1): { from: string; to: string } {
  const [from, to] = [Date.parse(window.from) / 1_000, Date.parse(window.to) / 1_000];
  const half = Math.max(SHORTEST_SECONDS, (to - from) * stretch) / 2;
  const middle = (from + to) / 2 + (to - from) * by;
  return { from: text(minute(middle - half)), to: text(minute(middle + half)) };
}

function minute(value: number): number {
  return Math.round(value / 60) * 60;
}

function seconds(iso: string | undefined): number | undefined {
  return iso === undefined ? undefined : Date.parse(iso) / 1_000;
}

function text(value: number): string {
  return new Date(value * 1_000).toISOString();
}
