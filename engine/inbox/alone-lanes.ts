import { settledWithin } from "@/domain/with-timeout";
import type { InboxFate } from "./handle-message";
import type { HandlerPace, MessageKind } from "./handler-pace";

/** Messages that one process handles alone at once. */
export const ALONE_LANES = 4;
/** Of these lanes, those that a kind of message may take which mostly hangs. */
export const SLOW_LANES = 2;

/**
 * The lanes of one process for messages that are handled alone. A lane whose handler hangs stays taken over ticks, and the
 * others go on beside it.
 */
export interface AloneLanes {
  /** @returns whether a lane is free now. */
  free(): boolean;
  /** @returns whether as many lanes as it may have are taken by a kind that mostly hangs. */
  isHanging(kind: MessageKind, pace: HandlerPace): boolean;
  /** Takes a lane for this work. */
  take(kind: MessageKind, work: Promise<InboxFate>): void;
  /**
   * Takes a lane for work that may end the process: what is under way ends first, or hangs, and nothing else begins until it has
   * ended or `ms` are over. Otherwise its neighbours would lose an attempt with it each time, and die of it too.
   */
  takeApart(
    kind: MessageKind,
    work: () => Promise<InboxFate>,
    ms: { readonly before: number; readonly after: number },
  ): Promise<void>;
  /** Waits until a lane is free, at most so many milliseconds; false: none is. */
  oneFree(ms: number): Promise<boolean>;
  /** Waits until all lanes are free, at most so many milliseconds. */
  allFree(ms: number): Promise<void>;
  /** @returns what ended since the last call, by fate. @throws the first thing that was thrown since then */
  collect(): Partial<Record<InboxFate, number>>;
}

export function createAloneLanes(): AloneLanes {
  const taken = new Map<Promise<void>, string>();
  let ended: Partial<Record<InboxFate, number>> = {};
  let failure: { readonly error: unknown } | undefined;
  let apart: Promise<void> | undefined;
  const nameOf = ({ consumer, type }: MessageKind): string => `${consumer}/${type}`;
  const takeLane = (kind: MessageKind, work: Promise<InboxFate>): Promise<void> => {
    const lane = work.then(
      (fate) => void (ended[fate] = (ended[fate] ?? 0) + 1),
      (error: unknown) => void (failure ??= { error }),
    );
    taken.set(lane, nameOf(kind));
    void lane.then(() => taken.delete(lane));
    return lane;
  };
  return {
    free: () => taken.size < ALONE_LANES,
    isHanging(kind, pace) {
      const name = nameOf(kind);
      return pace.isSlow(kind) && [...taken.values()].filter((other) => other === name).length >= SLOW_LANES;
    },
    take: (kind, work) => void takeLane(kind, work),
    async takeApart(kind, work, { before, after }) {
      while (apart !== undefined) await apart;
      apart = (async () => {
        await settledWithin(Promise.all(taken.keys()), before);
        await settledWithin(takeLane(kind, work()), after);
      })().finally(() => (apart = undefined));
      await apart;
    },
    async oneFree(ms) {
      if (apart !== undefined) await settledWithin(apart, ms);
      else if (taken.size >= ALONE_LANES) await settledWithin(Promise.race(taken.keys()), ms);
      return apart === undefined && taken.size < ALONE_LANES;
    },
    async allFree(ms) {
      await settledWithin(Promise.all(taken.keys()), ms);
    },
    collect() {
      const said = ended;
      const thrown = failure;
      ended = {};
      failure = undefined;
      if (thrown !== undefined) throw thrown.error;
      return said;
    },
  };
}
