import type { Database } from "@/db/client";
import { withoutDeadline } from "@/db/deadline";
import { recordEvents, recordRefusals, type EventInsert, type RefusalCount } from "@/db/operations/record-events";
import type { Log } from "../telemetry/log";
import { meters } from "../telemetry/meters";

const BATCH = 500;

interface Recorder<Item> {
  add(item: Item): void;
  /** @returns when everything added so far is in the database, or could not be written. */
  flush(): Promise<void>;
  close(): Promise<void>;
  /** What was given up because the database stayed away and memory was full. */
  readonly dropped: number;
}

/**
 * Writes answer events in small batches off the request path, so that a replay stays a read. Everything waits at the most
 * ANSWERS_AFTER_MS and is flushed on `close`; when the database is away the batch is tried again.
 */
export type AnswerRecorder = Recorder<EventInsert>;

/** Most events that wait in memory. A further one is dropped and counted: answering goes before its evidence. */
const MAX_EVENTS = 5_000;
const ANSWERS_AFTER_MS = 250;

export function createAnswerRecorder(db: Database, log: Log): AnswerRecorder {
  let waiting: EventInsert[] = [];
  let dropped = 0;
  const writer = createWriter(ANSWERS_AFTER_MS, async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      try {
        await recordEvents(db.pool, batch);
        waiting = waiting.slice(batch.length);
      } catch (error) {
        log.warn({ err: error, waiting: waiting.length }, "answer events could not be written, they wait");
        return false;
      }
    }
    return true;
  });
  return {
    add(event) {
      if (waiting.length >= MAX_EVENTS) {
        dropped += 1;
        meters.eventsDropped.inc();
        return;
      }
      waiting.push(event);
      writer.schedule();
    },
    flush: writer.flush,
    close: writer.close,
    get dropped() {
      return dropped;
    },
  };
}

/**
 * Counts requests that left no operation (no key, a bad key, not a command) and writes the counts off the request's path,
 * within a second and on `close`. Same counts wait as one; when the database is away they wait on.
 */
export type RefusalRecorder = Recorder<Omit<RefusalCount, "count">>;

/** Different (tenant, client, code) that wait in memory at the most; another one is given up and counted. */
const MAX_COUNTS = 2_000;
const REFUSALS_AFTER_MS = 500;

export function createRefusalRecorder(db: Pick<Database, "pool">, log: Log): RefusalRecorder {
  const waiting = new Map<string, RefusalCount>();
  let dropped = 0;

  function put(refusal: RefusalCount): void {
    const name = JSON.stringify([refusal.tenantId, refusal.client, refusal.code]);
    const known = waiting.get(name);
    if (known === undefined && waiting.size >= MAX_COUNTS) {
      dropped += refusal.count;
      return;
    }
    waiting.set(name, { ...refusal, count: (known?.count ?? 0) + refusal.count });
  }

  const writer = createWriter(REFUSALS_AFTER_MS, async () => {
    while (waiting.size > 0) {
      const taken = [...waiting].slice(0, BATCH);
      for (const [name] of taken) waiting.delete(name);
      const batch = taken.map(([, refusal]) => refusal);
      try {
        await recordRefusals(db.pool, batch);
      } catch (error) {
        batch.forEach(put);
        log.warn({ err: error, waiting: waiting.size }, "counts of refused requests could not be written, they wait");
        return false;
      }
    }
    return true;
  });
  return {
    add(refusal) {
      put({ ...refusal, count: 1 });
      writer.schedule();
    },
    flush: writer.flush,
    close: writer.close,
    get dropped() {
      return dropped;
    },
  };
}

/** @param write false: it is tried again later. It is of many requests, so no caller's deadline ends it */
function createWriter(afterMs: number, write: () => Promise<boolean>) {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let writing: Promise<void> = Promise.resolve();

  const schedule = (): void => {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, afterMs);
  };
  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      if (!(await withoutDeadline(write))) schedule();
    });
    return writing;
  };
  const close = (): Promise<void> => {
    closed = true;
    clearTimeout(timer);
    timer = undefined;
    return flush();
  };
  return { schedule, flush, close };
}
