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
export type SandboxFaults = Readonly<Record<SandboxFaultKind, number>>;

/** Longest delay that may be asked for, ms. */
const MAX_DELAY_MS = 60_000;

export const NO_SANDBOX_FAULTS = Object.fromEntries(SANDBOX_FAULT_KINDS.map((kind) => [kind, 0])) as SandboxFaults;

function isFaultKind(name: string): name is SandboxFaultKind {
  return SANDBOX_FAULT_KINDS.some((kind) => kind === name);
}

/**
 * Named kinds change, others keep their rate; an empty object clears all.
 * @returns the new faults, or one sentence that says what is wrong.
 */
export function changeSandboxFaults(current: SandboxFaults, wanted: unknown): SandboxFaults | string {
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) return "The body must be a JSON object.";
  const entries = Object.entries(wanted);
  if (entries.length === 0) return NO_SANDBOX_FAULTS;
  const next: Record<SandboxFaultKind, number> = { ...current };
  for (const [name, given] of entries) {
    if (!isFaultKind(name)) return `Unknown fault kind "${name}". Known: ${SANDBOX_FAULT_KINDS.join(", ")}.`;
    const value: unknown = typeof given === "boolean" ? Number(given) : given;
    const limit = name.endsWith("_ms") ? MAX_DELAY_MS : 1;
    if (typeof value !== "number" || !(value >= 0 && value <= limit)) {
      return `"${name}" must be a number from 0 to ${String(limit)}.`;
    }
    next[name] = value;
  }
  return next;
}

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
