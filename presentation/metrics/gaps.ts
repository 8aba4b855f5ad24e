import { bucketStarts, type ChartWindow } from "@/domain/metrics/chart-window";
import type { MetricsView } from "../views/metrics";

/** A bucket counts as missing so long after its end: the roll-up follows within seconds. */
const ROLLED_UP_AFTER_MS = 120_000;

/** Which points of a time have no data, said once for all charts of it. @param measured starts of buckets @param at of the database */
export function gapsOf(
  window: ChartWindow,
  measured: readonly string[],
  at: string,
): Pick<MetricsView, "unmeasured" | "measuredFrom"> {
  const known = new Set(measured.map((each) => Date.parse(each)));
  const over = Date.parse(at) - ROLLED_UP_AFTER_MS - window.bucketSeconds * 1_000;
  const missing = bucketStarts(window)
    .map((each) => Date.parse(each))
    .filter((start) => start <= over && !known.has(start));
  const first = Math.min(...known);
  const before = missing.length > 0 && known.size > 0 && missing.every((start) => start < first);
  return { unmeasured: missing.length, measuredFrom: before ? new Date(first).toISOString() : undefined };
}
