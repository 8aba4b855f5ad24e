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

/** Records what a broker delivered in batches, one after the other. */
export type Intake = ReturnType<typeof createIntake>;

export function createIntake(options: IntakeOptions) {
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
    /** @returns when there is room for more; the caller's own limit may bound it otherwise */
    async give(message: BrokerMessage): Promise<void> {
      queue.push(message);
      working ??= work();
      if (queue.length >= INTAKE_BATCH) await working;
    },
    /** @returns when everything given so far is answered */
    async drained(): Promise<void> {
      while (working !== undefined) await working;
    },
    /** Forgets what waits: its connection is gone, and the broker delivers it again. */
    forget: (): void => void (queue = []),
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
