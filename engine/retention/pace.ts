import { setTimeout as delay } from "node:timers/promises";

/** Of its time retention works so much while more is due; claims that run beside it have the rest. */
const RETAIN_SHARE = 0.1;
/** The same once it has been behind for so long: traffic may bring more than a tenth of the time can take away. */
const BEHIND_SHARE = 0.5;
const BEHIND_AFTER_MS = 3_600_000;
/** A batch that waited for somebody's lock is not rested for in full. */
const RETAIN_MAX_REST_MS = 2_000;

/** Rests between two batches. */
export interface Pace {
  /** @param tookMs of the batch that ended. @returns false: stop here, the tick's time is over or the process ends */
  rest(tookMs: number): Promise<boolean>;
  /** The tick's time is over: other tenants have their turn in the next one. */
  over(): boolean;
}

export interface PaceOptions {
  /** Of the time, above 0; 1 never rests. */
  readonly share?: number;
  readonly signal?: AbortSignal | undefined;
  /** Of all its batches and rests. */
  readonly mostMs?: number;
  /** Waits; ends early when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** @param behindMs since when every tick left something that is due. @returns of its time, what retention works */
export function retainShare(behindMs: number): number {
  return behindMs < BEHIND_AFTER_MS ? RETAIN_SHARE : BEHIND_SHARE;
}

/** @returns a pace that rests in proportion to what a batch took, so that a slow database is given more room and not less */
export function createPace(options: PaceOptions = {}): Pace {
  const { share = RETAIN_SHARE, signal, mostMs = Number.POSITIVE_INFINITY, wait = waitFor } = options;
  const endsAt = performance.now() + mostMs;
  const over = (): boolean => performance.now() >= endsAt;
  const goesOn = (): boolean => signal?.aborted !== true && !over();
  return {
    async rest(tookMs) {
      const ms = Math.min(RETAIN_MAX_REST_MS, tookMs * (1 / share - 1));
      if (ms > 0 && goesOn()) await wait(ms, signal);
      return goesOn();
    },
    over,
  };
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Stopping: the caller sees the signal.
  }
}
