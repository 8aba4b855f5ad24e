import type { ChartWindow } from "@/domain/metrics/chart-window";
import type { MetricGroup } from "@/domain/lists/filters";

export const MEASURES = [
  "executed",
  "replayed",
  "in_progress",
  "conflict",
  "expired_retry",
  "unknown",
  "replay_ratio",
  "conflict_rate",
  "latency",
  "first_answer",
  "replay_latency",
  "retry_delay",
  "reuse_distance",
  "oldest_in_progress",
  "open",
  "oldest_outbox",
  "oldest_inbox",
  "dead_letters",
  "suppressed",
] as const;
export type MeasureName = (typeof MEASURES)[number];
export type MeasureSection = "answers" | "times" | "waiting";

/** `money` is minor units of the chart's currency. */
export type MeasureUnit = "count" | "ms" | "share" | "money";

/** One measure over time. Without a group it has one line, or those that are compared in it. */
export interface MeasureChart {
  readonly name: MeasureName;
  readonly section: MeasureSection;
  readonly title: string;
  /** What it counts, in one short sentence. */
  readonly note: string;
  /** `share` is 0–1; of money the numbers are for drawing only. */
  readonly unit: MeasureUnit;
  /** ISO 4217, where the unit is money: each currency has its own chart. */
  readonly currency?: string | undefined;
  readonly series: readonly MeasureSeries[];
  readonly threshold?: { readonly value: number; readonly label: string } | undefined;
  /** The list behind a point; `from` and `to` of its bucket are added where it understands them. */
  readonly list?: MeasureList | undefined;
}

export interface MeasureList {
  readonly label: string;
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
  readonly windowed: boolean;
  /** What it can be narrowed to of a divided chart. */
  readonly groups: readonly MetricGroup[];
}

export interface MeasureSeries {
  /** The group's own name; of the rest and of an ungrouped measure, a word. */
  readonly label: string;
  /** 0: the measure's own colour; 1–5: its place among the groups; 6: the rest. */
  readonly slot: number;
  /** One per bucket; null: nothing was measured, drawn as a gap. */
  readonly values: readonly (number | null)[];
  /** Of answers, the last whole minute; of what is open, this moment. Null: not measured of late, or nothing to measure. */
  readonly now: number | null;
  /** Sum of a count, share over all, else the highest. */
  readonly total: number | null;
  /** Money in whole minor units as text, which numbers hold up to 2^53 only: for words and tables. */
  readonly exact?:
    { readonly values: readonly (string | null)[]; readonly now: string | null; readonly total: string } | undefined;
}

export interface MetricsView {
  readonly at: string;
  readonly window: ChartWindow;
  /** Start of each bucket, RFC 3339. */
  readonly times: readonly string[];
  readonly group?: MetricGroup | undefined;
  readonly charts: readonly MeasureChart[];
  /** Age of the newest computed minute, ms; undefined: never rolled up. */
  readonly rolledUpMs?: number | undefined;
  /** Buckets that are over and in which nothing was rolled up. */
  readonly unmeasured: number;
  /** Start of the first bucket that was measured, where all that were not lie before it. */
  readonly measuredFrom?: string | undefined;
  /** Nobody chose a time, and the usual one begins before anything was measured: it begins with the first minute. */
  readonly fitted?: boolean | undefined;
}
