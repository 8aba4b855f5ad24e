import { callContext, withContext, type Deadline } from "./call-context";

/**
 * The caller's time is over, or a connection stood still for too long. Says of one statement, or of one wait, whether anything
 * may have come of it.
 */
export class OutOfTimeError extends Error {
  /** `not_started`: surely nothing. `unanswered`: it was on its way, and its connection is given up. */
  readonly what: "not_started" | "unanswered";
  constructor(what: OutOfTimeError["what"]) {
    super(what === "not_started" ? "no time was left to begin" : "no answer came in time");
    this.name = "OutOfTimeError";
    this.what = what;
  }
}

/**
 * Runs work for a caller who waits until `at`: from then on the pool begins no statement for it and gives up the one that is
 * under way. A deadline that is open already and earlier stays in force.
 *
 * @param at by `performance.now()`
 * @param work rejects what goes wrong, and throws nothing
 */
export function withDeadline<T>(at: number, work: () => Promise<T>): Promise<T> {
  const deadline: Deadline = { at: Math.min(at, performance.now() + timeLeftMs()), lifted: false };
  // As an async function with a `finally`, by one promise instead of three.
  return withContext({ deadline }, work).then(
    (value) => {
      deadline.lifted = true;
      return value;
    },
    (error: unknown) => {
      deadline.lifted = true;
      throw error;
    },
  );
}

/** Runs what no caller waits for, or what must be brought to its end whoever waits: only the pool's own limits hold. */
export function withoutDeadline<T>(work: () => T): T {
  return withContext({ deadline: undefined }, work);
}

/** @returns milliseconds that the caller still waits, 0 or less when nothing may begin any more; Infinity without a deadline */
export function timeLeftMs(): number {
  const deadline = callContext()?.deadline;
  return deadline === undefined || deadline.lifted ? Infinity : deadline.at - performance.now();
}

/**
 * Waits for work that others may wait for too, or that goes on without us, but no longer than the caller does.
 *
 * @param late the error when the time is over first
 */
export function beforeDeadline<T>(
  work: Promise<T>,
  late: () => Error = () => new OutOfTimeError("not_started"),
): Promise<T> {
  const left = timeLeftMs();
  return left === Infinity ? work : within(left, work, late);
}

/**
 * Waits for work that may go on without us.
 *
 * @param ms milliseconds
 * @param late the error when they are over first
 */
export function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), Math.max(0, ms));
    const ended = (): void => {
      clearTimeout(timer);
      resolve(work);
    };
    work.then(ended, ended);
  });
}
