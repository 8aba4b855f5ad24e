import { setTimeout as delay } from "node:timers/promises";
import { RetentionPolicy, type ConsumerInfo, type JetStreamManager, type StoredMsg } from "@nats-io/jetstream";
import { millis } from "@nats-io/transport-node";
import { NATS_INBOX, NATS_STREAM } from "@/engine/outbox/transports/nats-line";
import type { BrokerMessage } from "./broker-message";
import type { Give, SessionWatch } from "./subscription";

/** The first look comes within this, at random, so that workers that came back together do not look together. */
export const SWEEP_FIRST_MS = 5_000;
/** Between two looks; one is two questions to the broker. */
export const SWEEP_EVERY_MS = 15_000;
/** Messages that one look reads; the next one goes on behind them. */
export const SWEEP_MAX = 5_000;
/** Messages that are recorded and removed at the same time. */
const REMOVE_BATCH = 100;
/** The position that was reached is noted so often in the time after which the broker delivers again. */
const MARKS = 4;

export interface SweepTimes {
  readonly firstMs: number;
  readonly everyMs: number;
}

export interface SweepOptions {
  readonly manager: JetStreamManager;
  readonly give: Give;
  /** The last number that the consumer had delivered when the session began. */
  readonly begun: number;
  readonly watch: SessionWatch | undefined;
  readonly times: SweepTimes | undefined;
}

export type Sweep = ReturnType<typeof startSweep>;

/**
 * Finds what the stream still holds and the inbox's consumer will never deliver. nats-server, killed while messages
 * were delivered and not acknowledged, may come back with the position of its consumer and without the list of those
 * messages. They are read by their number and recorded like any other; what was recorded before is a duplicate.
 *
 * Looked at is only what cannot be on its way: up to the consumer's floor, and up to where it stood longer ago than the time
 * after which it delivers again. What is recorded is removed when the inbox is the only consumer: the broker would hold it for
 * ever. With others it stays, for nobody can tell what they still want, and each session reads once what was delivered before
 * it: what they are slow with is no loss. No consumer is made for it: a stream that is kept by interest removes what nobody
 * waits for when one ends, and that would be these messages.
 */
export function startSweep(options: SweepOptions) {
  const { watch = {}, times = { firstMs: SWEEP_FIRST_MS, everyMs: SWEEP_EVERY_MS } } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const isOver = (): boolean => signal.aborted;
  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const look = createLook(options, signal);
  const run = async (): Promise<void> => {
    await pause(Math.random() * times.firstMs);
    while (!isOver()) {
      try {
        const count = await look();
        if (count > 0) watch.swept?.(count);
      } catch (error) {
        if (!isOver()) watch.failed?.(error);
      }
      await pause(times.everyMs);
    }
  };
  const running = run();
  return {
    stop(): Promise<void> {
      stopping.abort();
      return running;
    },
  };
}

/** @returns one look after the other: how many messages it gave */
function createLook({ manager, give, begun }: SweepOptions, signal: AbortSignal): () => Promise<number> {
  const reached = createReached();
  /** Given and not answered yet. */
  const open = new Set<number>();
  /** Recorded or refused, and still held. */
  let done: number[] = [];
  /** Everything below was given. */
  let next = 0;

  const remove = async (): Promise<void> => {
    const all = done;
    done = [];
    for (let at = 0; at < all.length; at += REMOVE_BATCH) {
      const batch = all.slice(at, at + REMOVE_BATCH);
      // Somebody else removed it, or nobody may: it stays, and this session reads it no more.
      await Promise.allSettled(batch.map((seq) => manager.streams.deleteMessage(NATS_STREAM, seq, false)));
    }
  };
  const messageOf = (stored: StoredMsg): BrokerMessage => {
    open.add(stored.seq);
    const end = (): void => {
      open.delete(stored.seq);
      done.push(stored.seq);
    };
    return {
      body: stored.data,
      header: (name) => stored.header.get(name) || undefined,
      accept: end,
      refuse: end,
      giveBack() {
        open.delete(stored.seq);
        next = Math.min(next, stored.seq);
      },
    };
  };

  return async () => {
    // The consumer before the stream: what it acknowledged until then is gone from the stream by now.
    const consumer = await manager.consumers.info(NATS_STREAM, NATS_INBOX);
    const { config, state } = await manager.streams.info(NATS_STREAM);
    const isShared = state.consumer_count > 1;
    const upTo = isShared ? Math.min(reached(consumer), begun) : reached(consumer);
    if (isShared) done = [];
    else await remove();
    const filter = filterOf(consumer);
    // A stream with another retention keeps what is acknowledged: nothing tells what was lost.
    if (filter === undefined || config.retention === RetentionPolicy.Limits || open.size > 0) return 0;
    next = Math.max(next, state.first_seq);
    let count = 0;
    while (next <= upTo && count < SWEEP_MAX && !signal.aborted) {
      const query = { seq: next, next_by_subj: filter };
      const stored = await manager.streams.getMessage(NATS_STREAM, query);
      if (stored === null || stored.seq > upTo) break;
      count += 1;
      next = stored.seq + 1;
      await give(messageOf(stored));
    }
    return count;
  };
}

/** @returns the subjects that the inbox's consumer is fed with; undefined when they are more than one question can name */
function filterOf({ config }: ConsumerInfo): string | undefined {
  if ((config.filter_subjects ?? []).length > 0) return undefined;
  return config.filter_subject || ">";
}

/** @returns the last number that a consumer is done with, whatever it says: what is still held there, it will not deliver */
function createReached(): (info: ConsumerInfo) => number {
  let marks: { readonly at: number; readonly seq: number }[] = [];
  let aged = 0;
  return ({ config, delivered, ack_floor: floor }) => {
    const now = performance.now();
    const waitMs = millis(config.ack_wait ?? 0);
    for (const { at, seq } of marks) if (now - at > waitMs) aged = Math.max(aged, seq);
    marks = marks.filter(({ at }) => now - at <= waitMs);
    const last = marks.at(-1);
    if (last === undefined || now - last.at > waitMs / MARKS) marks.push({ at: now, seq: delivered.stream_seq });
    return Math.max(aged, floor.stream_seq);
  };
}
