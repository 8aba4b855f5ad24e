import type { Database } from "@/db/client";
import { withoutDeadline } from "@/db/deadline";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import type { Log } from "../telemetry/log";
import { meters } from "../telemetry/meters";

/** Most events that wait in memory. A further one is dropped and counted: answering goes before its evidence. */
const MAX_WAITING = 5_000;
const BATCH = 500;
const FLUSH_AFTER_MS = 250;

/**
 * Writes answer events in small batches off the request path: a replay stays a read. Everything waits at the most FLUSH_AFTER_MS
 * and is flushed on `close`; when the database is away the batch is tried again.
 */
export interface AnswerRecorder {
  add(event: EventInsert): void;
  /** @returns when everything added so far is in the database. */
  flush(): Promise<void>;
  close(): Promise<void>;
  /** Events given up because the database stayed away and memory was full. */
  readonly dropped: number;
}

export function createAnswerRecorder(db: Database, log: Log): AnswerRecorder {
  let waiting: EventInsert[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      try {
        // Of many requests, and written after any of them: the deadline of the one that happened to begin it says nothing.
        await withoutDeadline(() => recordEvents(db.pool, batch));
        waiting = waiting.slice(batch.length);
      } catch (error) {
        log.warn({ err: error, waiting: waiting.length }, "answer events could not be written, they wait");
        schedule();
        return;
      }
    }
  }
  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(writeAll);
    }, FLUSH_AFTER_MS);
  }
  return {
    add(event) {
      if (waiting.length >= MAX_WAITING) {
        dropped += 1;
        meters.eventsDropped.inc();
        return;
      }
      waiting.push(event);
      schedule();
    },
    async flush() {
      writing = writing.then(writeAll);
      await writing;
    },
    async close() {
      clearTimeout(timer);
      timer = undefined;
      writing = writing.then(writeAll);
      await writing;
      clearTimeout(timer);
    },
    get dropped() {
      return dropped;
    },
  };
}
