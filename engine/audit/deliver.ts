import { recordSink, selectDelivered, selectLinesBehind, type StoredLine } from "@/db/audit/checkpoints";
import type { Queryable } from "@/db/client";
import { withTimeout } from "@/domain/with-timeout";
import { ERROR_TEXT_LIMIT } from "@/domain/messages/error-fingerprint";
import type { Log } from "../telemetry/log";
import { readCheckpoint } from "./checkpoint";
import type { PublicKeys } from "./signing-key";
import { SINK_TIMEOUT_MS, type CheckpointSink } from "./sinks/sink";

/** Batches of one turn; more wait for the next. */
const MOST_BATCHES = 10;
/** Own checkpoints that wait in memory for one sink; the database has the rest. */
const MOST_WAITING = 1_000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 60_000] as const;
/** A sink without news says that it is still there. */
const SIGN_OF_LIFE_MS = 60_000;

export interface Delivery {
  /** What this process made is sent even if its row disappears. */
  add(stored: StoredLine): void;
  /** @returns checkpoints that a sink took, and sinks that failed */
  turn(): Promise<{ readonly sent: number; readonly failing: number }>;
}

/** Brings checkpoints to one sink, in order, each at least once. After a failure it waits longer and longer, and forgets nothing. */
export function createDelivery(deps: {
  readonly db: Queryable;
  readonly keys: PublicKeys;
  readonly log: Log;
  readonly sink: CheckpointSink;
  readonly clock?: () => number;
}): Delivery {
  const { db, keys, log, sink, clock = () => performance.now() } = deps;
  const own: StoredLine[] = [];
  let position: bigint | undefined;
  let pauseMs = 0;
  let [next, saidAt] = [-Infinity, -Infinity];

  async function send(): Promise<number> {
    position ??= await selectDelivered(db, sink.name);
    let sent = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const from: bigint = position;
      const stored = await selectLinesBehind(db, from);
      const last = stored.at(-1)?.number;
      // What is not in this batch of the database comes after it, or its row is gone.
      const rows = new Map(
        [...own.filter(({ number }) => last === undefined || number <= last), ...stored].map((row) => [
          row.number,
          row,
        ]),
      );
      if (rows.size === 0) break;
      const lines = [...rows.values()]
        .sort((a, b) => (a.number < b.number ? -1 : 1))
        .filter(({ line }) => "checkpoint" in readCheckpoint(line, keys))
        .map(({ line }) => line);
      if (lines.length > 0) {
        await withTimeout(sink.append(lines), SINK_TIMEOUT_MS, () => {
          throw new Error("it did not answer in time");
        });
      }
      for (const number of rows.keys()) if (number > position) position = number;
      own.splice(0, own.length, ...own.filter(({ number }) => !rows.has(number)));
      sent += lines.length;
    }
    return sent;
  }

  return {
    add(stored) {
      own.push(stored);
      if (own.length > MOST_WAITING) own.shift();
    },
    async turn() {
      if (clock() < next) return { sent: 0, failing: 1 };
      try {
        const sent = await send();
        [pauseMs, next] = [0, -Infinity];
        if (sent > 0 || clock() - saidAt > SIGN_OF_LIFE_MS) {
          await recordSink(db, sink.name, position ?? 0n, undefined);
          saidAt = clock();
        }
        return { sent, failing: 0 };
      } catch (error) {
        pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
        next = clock() + pauseMs;
        log.error({ err: error, reason: sink.name, pauseMs }, "checkpoints of the audit could not be delivered");
        if (position !== undefined) await recordSink(db, sink.name, position, textOf(error));
        return { sent: 0, failing: 1 };
      }
    },
  };
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_TEXT_LIMIT);
}
