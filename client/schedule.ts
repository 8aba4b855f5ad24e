/** How retries wait, and for how long in all. All times in milliseconds. */
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
export function retryDelayMs(schedule: Schedule, attempt: number, random: number): number {
  if (attempt <= 1) return 0;
  const step = schedule.baseMs * 2 ** (attempt - 2);
  const upper = Math.min(schedule.capMs, step * 2);
  const lower = Math.min(step, schedule.capMs / 2);
  return Math.round(lower + random * (upper - lower));
}

const SECONDS = /^\s*\d+(\.\d+)?\s*$/;
/** Begins like any of the three date forms of HTTP. */
const HTTP_DATE = /^\s*(mon|tue|wed|thu|fri|sat|sun)/i;

/**
 * @param header `Retry-After` as seconds or as an HTTP date
 * @param nowMs time by the clock that wrote the date: the answer's own `Date` where there is one
 * @returns milliseconds; `undefined` when absent or unreadable
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (SECONDS.test(header)) {
    const ms = Number(header) * 1000;
    return Number.isFinite(ms) ? ms : undefined;
  }
  if (!HTTP_DATE.test(header)) return undefined;
  // The oldest of the three forms names no zone and means GMT.
  const date = Date.parse(/gmt/i.test(header) ? header : `${header} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

export const IN_PROGRESS = "idempotency.in_progress";
export const OUTCOME_UNKNOWN = "idempotency.outcome_unknown";
export const MISMATCH = "idempotency.payload_mismatch";
export const KEY_EXPIRED = "idempotency.key_expired";

type Answered = Pick<ClientAnswerFacts, "status" | "code" | "retryable" | "mayRetry" | "retryAfterMs" | "speaksForKey">;

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Whether a later retry can succeed: 408, 429, 5xx, and a 409 that says when to come back (in progress, outcome unknown).
 * Whatever says that it cannot is believed.
 */
export function canRecover(answer: Answered): boolean {
  if (answer.mayRetry === false || answer.retryable === false) return false;
  if (answer.status === 429 || answer.status === 408 || answer.status >= 500) return true;
  return answer.status === 409 && answer.code !== MISMATCH && answer.retryAfterMs !== undefined;
}

/** Speak about the caller, the moment or the window, never about what the key did. */
const SILENT_STATUSES: readonly number[] = [401, 403, 408, 429];
const OPEN_CODES: readonly (string | undefined)[] = [IN_PROGRESS, OUTCOME_UNKNOWN, KEY_EXPIRED];

/**
 * Whether the outcome of the action is known after this answer, so that its key may be forgotten.
 * @param mayHaveActed an earlier attempt may have had an effect: then a refusal counts only when it speaks for the key,
 *   for what refused may have been a proxy, or another version of the server, that never looked at it
 */
export function isSettled(answer: Answered, mayHaveActed: boolean): boolean {
  if (isSuccess(answer.status)) return true;
  if (answer.status < 400 || answer.status >= 500) return false;
  if (OPEN_CODES.includes(answer.code) || SILENT_STATUSES.includes(answer.status) || canRecover(answer)) return false;
  return answer.speaksForKey || !mayHaveActed;
}

/** What an answer says, in whatever error format. */
export interface ClientAnswerFacts {
  readonly status: number;
  /** Codes that this library acts on have the name that the profile `problem` gives them; others are as they came. */
  readonly code: string | undefined;
  /** A sentence for people. */
  readonly detail: string | undefined;
  readonly retryable: boolean | undefined;
  /** `false` when the headers forbid a retry. */
  readonly mayRetry: boolean | undefined;
  readonly retryAfterMs: number | undefined;
  readonly operationId: string | undefined;
  readonly differingFields: readonly string[] | undefined;
  /** The server looked at the key: what it says is about the key's operation. */
  readonly speaksForKey: boolean;
  /** The server had the answer already. */
  readonly replayed: boolean;
  /** 202 of a request whose first one is still at work: the operation to ask for. */
  readonly acceptedAs: string | undefined;
  readonly requestId: string | undefined;
  /** `retry.sameKey` of an operation's status. */
  readonly sameKey: string | undefined;
}
