import type { ChartWindow } from "./chart-window";

/** Clients by time: what is counted and how it is cut into cells. Pure: the moment of reading is passed in. */

export const HEAT_MEASURES = ["replayed", "conflict", "reused"] as const;
export type HeatMeasure = (typeof HEAT_MEASURES)[number];
export const HEAT_RANGES = ["1h", "6h", "24h", "7d"] as const;
export type HeatRange = (typeof HEAT_RANGES)[number];
export const HEAT_COMPARES = ["nothing", "yesterday", "last-week"] as const;
export type HeatCompare = (typeof HEAT_COMPARES)[number];

/** Cells that can be told apart and hit; from an hour on their edges are those of whole hours, which are rolled up as such. */
const CELLS: Readonly<Record<HeatRange, { readonly bucketSeconds: number; readonly buckets: number }>> = {
  "1h": { bucketSeconds: 300, buckets: 12 },
  "6h": { bucketSeconds: 900, buckets: 24 },
  "24h": { bucketSeconds: 3_600, buckets: 24 },
  "7d": { bucketSeconds: 21_600, buckets: 28 },
};
const DAY_SECONDS = 86_400;
const COMPARED_SECONDS: Readonly<Record<HeatCompare, number>> = {
  nothing: 0,
  yesterday: DAY_SECONDS,
  "last-week": 7 * DAY_SECONDS,
};

/** Clients of one page of the map. */
export const HEAT_ROWS = 8;

/** Whole cells; the last one still fills. @param now RFC 3339, of the database */
export function heatWindow(range: HeatRange, now: string): ChartWindow {
  const { bucketSeconds, buckets } = CELLS[range];
  const end = Math.ceil(Date.parse(now) / 1_000 / bucketSeconds) * bucketSeconds;
  return { from: text(end - buckets * bucketSeconds), to: text(end), bucketSeconds, buckets };
}

/** @returns the start of the cell that a time lies in. @param at RFC 3339 */
export function heatCellStart(range: HeatRange, at: string): string {
  const { bucketSeconds } = CELLS[range];
  return text(Math.floor(Date.parse(at) / 1_000 / bucketSeconds) * bucketSeconds);
}

/** @returns the same moment on the day that is compared with */
export function comparedTime(at: string, compare: HeatCompare): string {
  return text(Date.parse(at) / 1_000 - COMPARED_SECONDS[compare]);
}

/** @returns the earlier of two times, RFC 3339 */
export function earlierOf(a: string, b: string): string {
  return Date.parse(a) <= Date.parse(b) ? a : b;
}

function text(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
