import { faultsOf, type Faults } from "../pretend-server";

/**
 * Faults on demand: how many of the next requests they meet (`true`: all until it is cleared), milliseconds for `_ms`.
 * Counts and no rates, so that a test says exactly which request is hit.
 */
export const STRIPE_FAULT_KINDS = [
  "down",
  "rate_limit",
  "timeout_before",
  "timeout_after_accept",
  "reset_after_accept",
  "error_before",
  "error_after_accept",
  "error_frozen",
  "garbage",
  "processing",
  "key_in_use",
  "slow_ms",
  "late_ms",
  "search_lag_ms",
  "search_down",
  "list_down",
] as const;
export type StripeFaultKind = (typeof STRIPE_FAULT_KINDS)[number];
export type StripeFaults = Faults<StripeFaultKind>;

const MAX_DELAY_MS = 3_600_000;

export const { none: NO_STRIPE_FAULTS, change: changeStripeFaults } = faultsOf(STRIPE_FAULT_KINDS, (name, given) => {
  const value = given === true ? Infinity : given === false ? 0 : given;
  const delay = name.endsWith("_ms");
  const fits = typeof value === "number" && value >= 0 && value <= (delay ? MAX_DELAY_MS : Infinity);
  return fits ? value : `"${name}" must be a number of ${delay ? "milliseconds" : "requests"}, or true.`;
});
