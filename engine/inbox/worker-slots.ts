import { settledWithin } from "@/domain/with-timeout";
import type { InboxFate } from "./handle-message";
import type { HandlerPace, MessageKind } from "./handler-pace";

/** Messages that one process handles alone at once. */
export const WORKER_SLOTS = 4;
/** Of these slots, those that a kind of message may take which mostly hangs. */
export const SLOW_SLOTS = 2;

/** Slots of one process for messages that are handled alone. A slot whose handler hangs stays taken over ticks. */
export type WorkerSlots = ReturnType<typeof createWorkerSlots>;

export function createWorkerSlots() {
  const taken = new Map<Promise<void>, string>();
  let ended: Partial<Record<InboxFate, number>> = {};
  let failure: { readonly error: unknown } | undefined;
  let apart: Promise<void> | undefined;
  const nameOf = ({ consumer, type }: MessageKind): string => `${consumer}/${type}`;
  const takeSlot = (kind: MessageKind, work: Promise<InboxFate>): Promise<void> => {
    const slot = work.then(
      (fate) => void (ended[fate] = (ended[fate] ?? 0) + 1),
      (error: unknown) => void (failure ??= { error }),
    );
    taken.set(slot, nameOf(kind));
    void slot.then(() => taken.delete(slot));
    return slot;
  };
  return {
    free: (): boolean => taken.size < WORKER_SLOTS,
    /** @returns whether as many slots as it may have are taken by a kind that mostly hangs. */
    isHanging(kind: MessageKind, pace: HandlerPace): boolean {
      const name = nameOf(kind);
      return pace.isSlow(kind) && [...taken.values()].filter((other) => other === name).length >= SLOW_SLOTS;
    },
    take: (kind: MessageKind, work: Promise<InboxFate>): void => void takeSlot(kind, work),
    /** For work that may end the process: nothing else is under way until it has ended or `ms` are over. */
    async takeApart(
      kind: MessageKind,
      work: () => Promise<InboxFate>,
      { before, after }: { readonly before: number; readonly after: number },
    ): Promise<void> {
      while (apart !== undefined) await apart;
      apart = (async () => {
        await settledWithin(Promise.all(taken.keys()), before);
        await settledWithin(takeSlot(kind, work()), after);
      })().finally(() => (apart = undefined));
      await apart;
    },
    /** Waits until a slot is free, at most so many milliseconds; false: none is. */
    async oneFree(ms: number): Promise<boolean> {
      if (apart !== undefined) await settledWithin(apart, ms);
      else if (taken.size >= WORKER_SLOTS) await settledWithin(Promise.race(taken.keys()), ms);
      return apart === undefined && taken.size < WORKER_SLOTS;
    },
    /** Waits until all slots are free, at most so many milliseconds. */
    async allFree(ms: number): Promise<void> {
      await settledWithin(Promise.all(taken.keys()), ms);
    },
    /** @returns what ended since the last call, by fate. @throws the first thing that was thrown since then */
    collect(): Partial<Record<InboxFate, number>> {
      const result = ended;
      const thrown = failure;
      ended = {};
      failure = undefined;
      if (thrown !== undefined) throw thrown.error;
      return result;
    },
  };
}
