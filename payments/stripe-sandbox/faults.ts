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
export type StripeFaults = Readonly<Record<StripeFaultKind, number>>;

const MAX_DELAY_MS = 3_600_000;
export const NO_STRIPE_FAULTS = Object.fromEntries(STRIPE_FAULT_KINDS.map((kind) => [kind, 0])) as StripeFaults;

function isFaultKind(name: string): name is StripeFaultKind {
  return STRIPE_FAULT_KINDS.some((kind) => kind === name);
}

/**
 * Named kinds change, others stay; an empty object clears all.
 * @returns the new faults, or one sentence that says what is wrong
 */
export function changeStripeFaults(current: StripeFaults, wanted: unknown): StripeFaults | string {
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) return "The body must be a JSON object.";
  const entries = Object.entries(wanted);
  if (entries.length === 0) return NO_STRIPE_FAULTS;
  const next: Record<StripeFaultKind, number> = { ...current };
  for (const [name, given] of entries) {
    if (!isFaultKind(name)) return `Unknown fault kind "${name}". Known: ${STRIPE_FAULT_KINDS.join(", ")}.`;
    const value: unknown = given === true ? Infinity : given === false ? 0 : given;
    const delay = name.endsWith("_ms");
    const fits = typeof value === "number" && value >= 0 && (delay ? value <= MAX_DELAY_MS : !Number.isNaN(value));
    if (!fits) return `"${name}" must be a number of ${delay ? "milliseconds" : "requests"}, or true.`;
    next[name] = value;
  }
  return next;
}
