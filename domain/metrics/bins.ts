/**
 * The bins of times as distributions (db/metrics/roll_up_bins.sql has the same limits; a test compares them). Counts of bins can be added
 * up over minutes, which percentiles cannot.
 */

export const BIN_MEASURES = ["first_answer", "retry_delay"] as const;
export type BinMeasure = (typeof BIN_MEASURES)[number];

/** Upper limits, ms, each exclusive; what is longer is in one bin more. */
export const BIN_LIMITS_MS: Readonly<Record<BinMeasure, readonly number[]>> = {
  first_answer: [25, 50, 100, 200, 400, 800, 1_600, 3_200],
  retry_delay: [100, 500, 2_000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000],
};
/** Of first answers: those that never came. Not a duration. */
export const NO_ANSWER_BIN = 9;
/** Of retries: sooner than the shortest wait of the published schedule. */
export const TOO_FAST_BIN = 0;

/** @returns how many bins a measure has; of first answers the last one are those that never came */
export function binCount(measure: BinMeasure): number {
  return BIN_LIMITS_MS[measure].length + (measure === "first_answer" ? 2 : 1);
}
