/** How long to wait between attempts, in ms: `baseMs` doubles with every attempt up to `capMs`. */
export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

/** Doubling more often than this changes nothing: every cap in use is reached long before. */
const MAX_DOUBLINGS = 30;

/**
 * Full jitter: anything between the base and the doubled wait, so that what failed together does not come back together.
 *
 * @param attempt the attempt that just failed, from 1
 * @param random 0 ≤ random < 1
 * @returns whole milliseconds, at least half the base, so that a failure never loops tightly
 */
export function backoffMs(attempt: number, backoff: Backoff, random: number): number {
  const doublings = Math.min(Math.max(attempt - 1, 0), MAX_DOUBLINGS);
  const ceiling = Math.min(backoff.baseMs * 2 ** doublings, backoff.capMs);
  const floor = Math.min(backoff.baseMs / 2, backoff.capMs);
  return Math.round(floor + random * (ceiling - floor));
}

/** Waits between the attempts of one message, milliseconds. */
export type RetrySchedule = readonly number[];

/** Of a wait of a schedule, at the most, either way. */
const SPREAD = 0.1;

/**
 * @param attempt the attempt that just failed, from 1; behind the end of the list the last wait holds
 * @param random 0 ≤ random < 1
 * @returns whole milliseconds
 */
export function scheduledMs(attempt: number, schedule: RetrySchedule, random: number): number {
  const wait = schedule[Math.min(Math.max(attempt, 1), schedule.length) - 1] ?? 0;
  return Math.round(wait * (1 + SPREAD * (2 * random - 1)));
}
