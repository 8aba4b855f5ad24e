import { setTimeout as delay } from "node:timers/promises";
import { backoffMs, type Backoff } from "@/domain/messages/backoff";
import type { Log } from "@/engine/telemetry/log";
import { reasonOf } from "@/engine/outbox/transports/link";
import { settledWithin } from "@/domain/with-timeout";
import type { BrokerMessage, BrokerName } from "./broker-message";
import { createIntake } from "./intake";
import type { RecordResult } from "./record-batch";

/** Between two attempts to reach a broker that is away. */
export const RECONNECT_BACKOFF: Backoff = { baseMs: 250, capMs: 10_000 };
/** A session that lasted so long was a good one. */
const GOOD_SESSION_MS = 10_000;
/** What was delivered is recorded and answered within this once we stop; the broker delivers the rest again. */
export const SUBSCRIPTION_STOP_MS = 4_000;

/** For good-byes, or an attempt to connect that is under way. */
const GOODBYE_MS = 2_500;

/** One connection that delivers messages. */
export interface Session {
  /** Resolves when it is gone, to why where that is known, without an address or a secret; never rejects. */
  readonly lost: Promise<string | undefined>;
  /** Asks for no more messages; what was delivered may still be answered. */
  pause(): Promise<void>;
  /** Bounded in time; answers that were given are sent first. */
  close(): Promise<void>;
}

export type Give = (message: BrokerMessage) => Promise<void>;

/** What is told of a session beside its messages. */
export interface SessionWatch {
  /** One look found so many messages that the broker holds and does not deliver, and gave them. */
  readonly swept?: (count: number) => void;
  /** A look failed; the next one tries again. */
  readonly failed?: (error: unknown) => void;
  /** The broker no longer has messages that were not read, so many as is known. */
  readonly gone?: (count: number) => void;
}

/**
 * What became of messages since it was last asked; `swept` were found at the broker, which would not have delivered them, and `gone`
 * were removed there before anybody read them.
 */
export type SubscriptionCounts = {
  readonly [Name in "recorded" | "duplicate" | "mismatch" | "refused" | "left" | "swept" | "gone"]: number;
};

export interface SubscriptionOptions {
  readonly broker: BrokerName;
  /** Connects and begins; bounded in time. */
  readonly open: (give: Give, watch: SessionWatch) => Promise<Session>;
  readonly record: (messages: readonly BrokerMessage[]) => Promise<RecordResult>;
  readonly log: Log;
}

const NOTHING = { recorded: 0, duplicate: 0, mismatch: 0, refused: 0, left: 0, swept: 0, gone: 0 };

export type Subscription = ReturnType<typeof startSubscription>;

/** Keeps one session with a broker, through its restarts. */
export function startSubscription({ broker, open, record, log }: SubscriptionOptions) {
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener("abort", () => resolve()));
  let counts: { -readonly [Name in keyof SubscriptionCounts]: number } = { ...NOTHING };
  let down: string | undefined;
  const intake = createIntake({
    record,
    signal: stopping.signal,
    onBatch(result) {
      counts.left += result.left.length;
      for (const name of ["recorded", "duplicate", "mismatch", "refused"] as const) counts[name] += result[name];
    },
  });

  const watch = createWatch(broker, log, (name, rows) => (counts[name] += rows));
  const keepSession = async (): Promise<void> => {
    const session = await open((message) => intake.give(message), watch);
    down = undefined;
    log.info({ part: broker }, "consuming from a broker");
    const why = await Promise.race([session.lost, stopped]);
    if (isStopping()) {
      await settledWithin(
        session.pause().then(() => intake.drained()),
        SUBSCRIPTION_STOP_MS,
      );
    } else {
      down = why ? `the connection was lost (${why})` : "the connection was lost";
      intake.forget();
    }
    await session.close();
  };
  const run = async (): Promise<void> => {
    for (let failures = 1; !isStopping(); failures += 1) {
      const began = performance.now();
      try {
        await keepSession();
      } catch (error) {
        down = reasonOf(error);
      }
      if (performance.now() - began >= GOOD_SESSION_MS) failures = 1;
      if (isStopping()) return;
      const pauseMs = backoffMs(failures, RECONNECT_BACKOFF, Math.random());
      log.warn({ part: broker, reason: down, pauseMs }, "a broker is not reached");
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    broker,
    /** @returns counts since the last call @throws Error in one sentence once the broker was not reached, until it is */
    take(): SubscriptionCounts {
      if (down !== undefined) throw new Error(`The broker is not reached: ${down}`);
      const taken = counts;
      counts = { ...NOTHING };
      return taken;
    },
    /** Finishes what was delivered and answers it, within some seconds; may be called twice. */
    stop(): Promise<void> {
      stopping.abort();
      return settledWithin(running, SUBSCRIPTION_STOP_MS + GOODBYE_MS);
    },
  };
}

function createWatch(
  part: BrokerName,
  log: Log,
  count: (name: "swept" | "gone", rows: number) => void,
): Required<SessionWatch> {
  return {
    swept(rows) {
      count("swept", rows);
      log.warn({ part, rows }, "a broker held messages that it would not deliver: they were read and recorded");
    },
    gone(rows) {
      count("gone", rows);
      log.error({ part, rows }, "a broker removed messages before they were read: reading goes on at the oldest");
    },
    failed: (error) => log.warn({ part, reason: reasonOf(error) }, "what a broker holds was not looked through"),
  };
}
