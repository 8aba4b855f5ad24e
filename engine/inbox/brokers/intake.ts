import { setTimeout as delay } from "node:timers/promises";
import { backoffMs, type Backoff } from "@/domain/messages/backoff";
import type { BrokerMessage } from "./broker-message";
import type { RecordResult } from "./record-batch";

/** Messages that are recorded at once, over all tenants. */
export const INTAKE_BATCH = 100;
/** Between a batch that could not be recorded and giving it back; well below the time after which NATS delivers again. */
export const INTAKE_BACKOFF: Backoff = { baseMs: 500, capMs: 10_000 };

export interface IntakeOptions {
  readonly record: (messages: readonly BrokerMessage[]) => Promise<RecordResult>;
  /** Told after each batch. */
  readonly onBatch: (result: RecordResult) => void;
  /** Aborted: no pause is waited for any more. */
  readonly signal: AbortSignal;
  readonly backoff?: Backoff;
}

/** What a broker delivered and is not answered yet, in batches, one after the other. */
export interface Intake {
  /** @returns when there is room for more; the caller's own limit may bound it otherwise */
  give(message: BrokerMessage): Promise<void>;
  /** @returns when everything given so far is answered */
  drained(): Promise<void>;
  /** Forgets what waits: its connection is gone, and the broker delivers it again. */
  forget(): void;
}

export function createIntake(options: IntakeOptions): Intake {
  let queue: BrokerMessage[] = [];
  let working: Promise<void> | undefined;
  let failures = 0;
  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      const result = await options.record(queue.splice(0, INTAKE_BATCH));
      options.onBatch(result);
      failures = result.left.length > 0 ? failures + 1 : 0;
      if (failures === 0) continue;
      await pause(backoffMs(failures, options.backoff ?? INTAKE_BACKOFF, Math.random()), options.signal);
      // What waits behind goes back with it: it would fare no better, and its time at the broker runs.
      for (const message of [...result.left, ...queue.splice(0)]) message.giveBack();
    }
    // Without a turn in between: whoever gives the next message finds nobody at work, and begins.
    working = undefined;
  };
  return {
    async give(message) {
      queue.push(message);
      working ??= work();
      if (queue.length >= INTAKE_BATCH) await working;
    },
    async drained() {
      while (working !== undefined) await working;
    },
    forget: () => void (queue = []),
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
