import { AppError } from "@/domain/errors";

/** How much of a process one kind of work may have at once. */
export interface ShareLimits {
  readonly atOnce: number;
  /** Who waits beyond it, at the most. */
  readonly waiting: number;
  /** Longest wait, in ms. */
  readonly waitMs: number;
  /** A place is given back after so long, in ms, also where somebody reads slowly: then they take little of the process. */
  readonly holdMs: number;
}

/** Gives the place back; what is given back twice counts once. */
export type Release = () => void;

/** What a process that answers callers spends on each of these beside them. A page is mostly the processor's, and there is one. */
export const SHARES = {
  pages: { atOnce: 2, waiting: 64, waitMs: 30_000, holdMs: 1_000 },
  exports: { atOnce: 2, waiting: 8, waitMs: 5_000, holdMs: 30_000 },
} as const satisfies Readonly<Record<string, ShareLimits>>;

export type Share = ReturnType<typeof createShare>;

/** While callers wait for the API, a place rests for so many times as long as it was held: pages have a third of the time at the most. */
const REST = 2;
const MOST_REST_MS = 500;

/** @returns how long a place rests, in ms. @param heldMs how long it was held @param awaited whether callers of the API wait now */
export function restOf(heldMs: number, awaited: boolean): number {
  return awaited ? Math.min(MOST_REST_MS, heldMs * REST) : 0;
}

/**
 * Lets so many of one kind of work run at once, in the order in which they came; the rest waits, and what would wait too long or
 * behind too many is refused. Without it twenty pages at once would be twenty neighbours of each payment.
 *
 * @param what is refused, as a sentence begins: "The pages"
 * @param rest how long a place that was held so many ms stays empty, in ms
 */
export function createShare(
  what: string,
  { atOnce, waiting, waitMs, holdMs }: ShareLimits,
  rest: (heldMs: number) => number = () => 0,
) {
  const queue = new Set<() => void>();
  let running = 0;

  const start = (): Release => {
    running += 1;
    let over = false;
    const began = performance.now();
    const giveBack = (): void => {
      running -= 1;
      const [next] = queue;
      next?.();
    };
    const release = (): void => {
      if (over) return;
      over = true;
      clearTimeout(held);
      const restMs = rest(performance.now() - began);
      if (restMs > 0) setTimeout(giveBack, restMs);
      else giveBack();
    };
    const held = setTimeout(release, holdMs);
    held.unref();
    return release;
  };
  return {
    /** @throws AppError `transient.busy` 503 with Retry-After; nothing was begun */
    take(): Promise<Release> {
      if (running < atOnce) return Promise.resolve(start());
      if (queue.size >= waiting) return Promise.reject(busy(what));
      return new Promise((resolve, reject) => {
        const turn = (): void => {
          clearTimeout(limit);
          queue.delete(turn);
          resolve(start());
        };
        const limit = setTimeout(() => {
          queue.delete(turn);
          reject(busy(what));
        }, waitMs);
        queue.add(turn);
      });
    },
  };
}

function busy(what: string): AppError {
  return new AppError("transient.busy", 503, "Too much of this is asked for at once", {
    detail: `${what} have all of their share of this process, so that payments keep theirs. Nothing was begun; ask again in a few seconds.`,
    retryable: true,
    retryAfter: 3,
  });
}
