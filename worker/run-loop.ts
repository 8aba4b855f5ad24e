import { setTimeout as delay } from "node:timers/promises";

/** After an empty tick the pause grows up to so many intervals. */
export const IDLE_INTERVALS_MAX = 5;
/** After failed ticks the pause doubles up to this, in ms: a database that is away is not hammered. */
export const ERROR_PAUSE_MAX_MS = 30_000;
const MIN_PAUSE_MS = 5;

export interface LoopOptions<Result> {
  readonly tick: (signal: AbortSignal) => Promise<Result>;
  readonly intervalMs: number;
  /** Whether there may be more at once: the next tick follows without a pause. */
  readonly busy: (result: Result) => boolean;
  /** Whether the tick found nothing: the pause grows. */
  readonly idle: (result: Result) => boolean;
  /** Told after each tick; must not throw. */
  readonly onTick: (outcome: {
    readonly result?: Result;
    readonly error?: unknown;
    readonly pauseMs: number;
  }) => Promise<void>;
  readonly signal: AbortSignal;
  /** 0 ≤ random < 1, for the jitter. */
  readonly random?: () => number;
}

/** Calls `tick` until the signal: at once while there is work, later and later while there is none or it fails. */
export async function runLoop<Result>(options: LoopOptions<Result>): Promise<void> {
  let quiet = 0;
  let failures = 0;
  while (!options.signal.aborted) {
    let outcome: { result?: Result; error?: unknown };
    let pauseMs: number;
    try {
      const result = await options.tick(options.signal);
      failures = 0;
      quiet = options.idle(result) ? quiet + 1 : 0;
      pauseMs = options.busy(result) ? 0 : options.intervalMs * Math.min(quiet + 1, IDLE_INTERVALS_MAX);
      outcome = { result };
    } catch (error) {
      failures += 1;
      pauseMs = Math.min(options.intervalMs * 2 ** Math.min(failures, 20), ERROR_PAUSE_MAX_MS);
      outcome = { error };
    }
    await options.onTick({ ...outcome, pauseMs });
    await pause(pauseMs, options.random ?? Math.random, options.signal);
  }
}

/** Half to one and a half of it, so that several workers do not tick in step. */
async function pause(ms: number, random: () => number, signal: AbortSignal): Promise<void> {
  try {
    await delay(Math.max(MIN_PAUSE_MS, ms * (0.5 + random())), undefined, { signal });
  } catch {
    // Stopping: the loop's condition ends it.
  }
}
