/** The retry contract of S3.3. All times in milliseconds. */
export interface Schedule {
  readonly baseMs: number;
  readonly capMs: number;
  /** For all attempts and waits of one action together. */
  readonly budgetMs: number;
  /** Longest wait for one answer: two silent attempts fit into the budget. */
  readonly attemptTimeoutMs: number;
  readonly maxAttempts: number;
}

export const DEFAULT_SCHEDULE: Schedule = {
  baseMs: 100,
  capMs: 2_000,
  budgetMs: 10_000,
  attemptTimeoutMs: 4_500,
  maxAttempts: 12,
};

/**
 * Delay before an attempt: none, 100–200, 200–400, 400–800, 800–1600, then 1000–2000. At the cap the whole upper half
 * stays random: callers that failed together must not come back together.
 * @param attempt 1 for the first
 * @param random a number in [0, 1)
 */
export function backoffMs(schedule: Schedule, attempt: number, random: number): number {
  if (attempt <= 1) return 0;
  const step = schedule.baseMs * 2 ** (attempt - 2);
  const upper = Math.min(schedule.capMs, step * 2);
  const lower = Math.min(step, schedule.capMs / 2);
  return Math.round(lower + random * (upper - lower));
}

/** @returns `Retry-After` in milliseconds, given as seconds or as an HTTP date; `undefined` when absent or unreadable. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** What one attempt came back with, as far as the decision to retry needs it. */
export interface Answered {
  readonly status: number;
  readonly code?: string | undefined;
  /** `retryable` of the problem document. */
  readonly retryable?: boolean | undefined;
  /** `x-should-retry` header. */
  readonly shouldRetry?: string | null | undefined;
  readonly retryAfterMs?: number | undefined;
}

export const IN_PROGRESS = "idempotency.in_progress";
export const OUTCOME_UNKNOWN = "idempotency.outcome_unknown";

/** Only 408, 429, 5xx and an operation still in progress can heal by waiting; whatever says that it cannot is believed. */
export function canHeal(answer: Answered): boolean {
  if (answer.shouldRetry === "false" || answer.retryable === false) return false;
  if (answer.status === 429 || answer.status === 408 || answer.status >= 500) return true;
  return answer.status === 409 && answer.code === IN_PROGRESS && answer.retryAfterMs !== undefined;
}

/**
 * Whether the outcome of the action is known after this answer, so that its key may be forgotten. Not after an answer
 * that speaks about the caller instead of the action (401, 403): an earlier attempt may have succeeded.
 */
export function isSettled(answer: Answered): boolean {
  if (answer.status >= 200 && answer.status < 300) return true;
  if (answer.status < 400 || answer.status >= 500) return false;
  if (answer.code === IN_PROGRESS || answer.code === OUTCOME_UNKNOWN) return false;
  return ![401, 403, 408, 429].includes(answer.status);
}
