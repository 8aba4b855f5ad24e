import { faultsOf, type Faults } from "../pretend-server";

/**
 * Faults on demand: a rate from 0 to 1 per kind, drawn per request from a seeded generator. `slow_ms` delays the answer,
 * `late_ms` the effect itself: a caller that gave up may find nothing now and an effect later.
 */
export const SANDBOX_FAULT_KINDS = [
  "timeout_before",
  "timeout_after_accept",
  "error_before",
  "error_after_accept",
  "slow_ms",
  "late_ms",
  "rate_limit",
  "garbage",
  "duplicate_webhook",
  "down",
  "processing",
  "lookup_down",
  "no_webhook",
  "garbage_webhook",
] as const;
export type SandboxFaultKind = (typeof SANDBOX_FAULT_KINDS)[number];
export type SandboxFaults = Faults<SandboxFaultKind>;

/** Longest delay that may be asked for, ms. */
const MAX_DELAY_MS = 60_000;

export const { none: NO_SANDBOX_FAULTS, change: changeSandboxFaults } = faultsOf(SANDBOX_FAULT_KINDS, (name, given) => {
  const value = typeof given === "boolean" ? Number(given) : given;
  const limit = name.endsWith("_ms") ? MAX_DELAY_MS : 1;
  const fits = typeof value === "number" && value >= 0 && value <= limit;
  return fits ? value : `"${name}" must be a number from 0 to ${String(limit)}.`;
});

/** @returns a generator of numbers in [0, 1) that repeats for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
