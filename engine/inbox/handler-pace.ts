/** A handler that takes longer is handled alone: those behind it in the transaction wait no longer than this. */
export const TOGETHER_LIMIT_MAX_MS = 50;
/** Shorter makes nobody wait less that matters, and takes a pause of the machine for a slow handler. */
export const TOGETHER_LIMIT_MIN_MS = 10;
/** Too slow is what takes so many times as long as handlers of that kind usually do. */
const TIMES_USUAL = 20;
/** Weight of the newest handling in what is usual, and in how often one is too slow. */
const NEWEST = 0.05;
const NEWEST_SLOW = 0.4;
/** A kind of which more than this share is too slow is not tried together any more … */
const MOSTLY = 0.5;
/** … but once in so many times, so that it comes back when it is quick again. */
const TRY_AGAIN = 50;
/** Kinds that are remembered; types come from outside. */
const KINDS_MAX = 1_000;

export interface MessageKind {
  readonly consumer: string;
  readonly type: string;
}

interface Known {
  usualMs: number | undefined;
  slowShare: number;
  skipped: number;
}

/** How long handlers of each kind (consumer and type) take in this process; it may be forgotten at any time. */
export type HandlerPace = ReturnType<typeof createHandlerPace>;

export function createHandlerPace() {
  const kinds = new Map<string, Known>();
  const of = ({ consumer, type }: MessageKind): Known => {
    const name = `${consumer}/${type}`;
    let known = kinds.get(name);
    if (known === undefined) {
      if (kinds.size >= KINDS_MAX) kinds.clear();
      kinds.set(name, (known = { usualMs: undefined, slowShare: 0, skipped: 0 }));
    }
    return known;
  };
  return {
    /** @returns milliseconds that one handling in a shared transaction may take; 0: it is mostly too slow for that. */
    limitMs(kind: MessageKind): number {
      const known = of(kind);
      if (known.slowShare > MOSTLY && (known.skipped += 1) % TRY_AGAIN !== 0) return 0;
      if (known.usualMs === undefined) return TOGETHER_LIMIT_MAX_MS;
      return Math.min(TOGETHER_LIMIT_MAX_MS, Math.max(TOGETHER_LIMIT_MIN_MS, known.usualMs * TIMES_USUAL));
    },
    /** Notes one that ended in time. @param tookMs milliseconds */
    noteEnded(kind: MessageKind, tookMs: number): void {
      const known = of(kind);
      known.usualMs = known.usualMs === undefined ? tookMs : known.usualMs + (tookMs - known.usualMs) * NEWEST;
      known.slowShare -= known.slowShare * NEWEST_SLOW;
    },
    /** @returns whether handlers of this kind mostly take too long. */
    isSlow: (kind: MessageKind): boolean => of(kind).slowShare > MOSTLY,
    noteSlow(kind: MessageKind): void {
      const known = of(kind);
      known.slowShare += (1 - known.slowShare) * NEWEST_SLOW;
    },
  };
}
