/** How one operation treats its keys (S1.7, S4.8, S4.9). Per tenant overrides come with the policies page. */
export interface OperationPolicy {
  /** Status of a conflict: 409 by default, 422 where callers follow the IETF draft. */
  readonly mismatchStatus: 409 | 422;
  /** Runs of one key after definite failures without effect; then a person has to look. */
  readonly maxAttempts: number;
  /** Whether a business refusal (insufficient funds) is the answer for good (S4.9). */
  readonly refusalsBind: boolean;
  /** Retry-After of an in-progress answer, in seconds, at the most; the lease's rest when that is shorter. */
  readonly inProgressRetryAfter: number;
  /** Retry-After of an outcome-unknown answer, in seconds. */
  readonly unknownRetryAfter: number;
}

export const DEFAULT_POLICY: OperationPolicy = {
  mismatchStatus: 409,
  maxAttempts: 25,
  refusalsBind: true,
  inProgressRetryAfter: 2,
  unknownRetryAfter: 60,
};

/** Waits between look-ups of an unknown outcome, in seconds; the last one repeats until GIVE_UP_ASKING_HOURS. */
const LOOK_UP_WAITS = [2, 5, 15, 30, 60, 120, 300, 600];
/** After this the look-ups end and only a person settles it. */
export const GIVE_UP_ASKING_HOURS = 72;
/**
 * An absent object is sent again with the same provider key only this soon after the claim; later "absent" means it was
 * never received, since no socket lives that long.
 */
export const RESEND_WITHIN_MINUTES = 10;

/**
 * @param checks look-ups made so far
 * @returns milliseconds until the next one; undefined when they went on for GIVE_UP_ASKING_HOURS: only a person asks then
 */
export function nextLookUpMs(checks: number): number | undefined {
  const last = LOOK_UP_WAITS.at(-1) ?? 600;
  const waited =
    LOOK_UP_WAITS.slice(0, checks).reduce((sum, wait) => sum + wait, 0) +
    Math.max(0, checks - LOOK_UP_WAITS.length) * last;
  return waited >= GIVE_UP_ASKING_HOURS * 3_600 ? undefined : (LOOK_UP_WAITS[checks] ?? last) * 1_000;
}
