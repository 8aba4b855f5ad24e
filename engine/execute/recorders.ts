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
}

/** Writes answer events in batches off the request path; they wait while the database is away. */
export type AnswerRecorder = Recorder<EventInsert>;

/** A further event is dropped and counted: answering goes before its evidence. */
const MAX_EVENTS = 5_000;
const ANSWERS_AFTER_MS = 250;

export function createAnswerRecorder(db: Database, log: Log): AnswerRecorder {
  return createRecorder<EventInsert>({
    afterMs: ANSWERS_AFTER_MS,
    max: MAX_EVENTS,
    nameOf: (event) => event.id,
    write: (batch) => recordEvents(db.pool, batch),
    onDropped: () => meters.eventsDropped.inc(),
    onFailed: (err, waiting) => log.warn({ err, waiting }, "answer events could not be written, they wait"),
  });
}

/**
 * Counts requests that left no operation (no key, a bad key, not a command) and writes the counts off the request's path,
 * within a second and on `close`. Same counts wait as one; when the database is away they wait on.
 */
export type RefusalRecorder = Recorder<Omit<RefusalCount, "count">>;

/** Different (tenant, client, code) that wait in memory at the most. */
const MAX_COUNTS = 2_000;
const REFUSALS_AFTER_MS = 500;

export function createRefusalRecorder(db: Pick<Database, "pool">, log: Log): RefusalRecorder {
  const counts = createRecorder<RefusalCount>({
    afterMs: REFUSALS_AFTER_MS,
    max: MAX_COUNTS,
    nameOf: ({ tenantId, client, code }) => JSON.stringify([tenantId, client, code]),
    merge: (known, more) => ({ ...known, count: known.count + more.count }),
    write: (batch) => recordRefusals(db.pool, batch),
    onFailed: (err, waiting) =>
      log.warn({ err, waiting }, "counts of refused requests could not be written, they wait"),
  });
  return { ...counts, add: (refusal) => counts.add({ ...refusal, count: 1 }) };
}

interface RecorderOptions<Item> {
  readonly afterMs: number;
  readonly max: number;
  readonly nameOf: (item: Item) => string;
  /** Makes one of two with the same name. */
  readonly merge?: (known: Item, more: Item) => Item;
  readonly write: (batch: Item[]) => Promise<void>;
  readonly onDropped?: () => void;
  readonly onFailed: (error: unknown, waiting: number) => void;
}

function createRecorder<Item>(options: RecorderOptions<Item>): Recorder<Item> {
  const { afterMs, max, nameOf, merge, write } = options;
  const waiting = new Map<string, Item>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let writing: Promise<void> = Promise.resolve();
  function put(item: Item): void {
    const name = nameOf(item);
    const known = waiting.get(name);
    waiting.set(name, known === undefined || merge === undefined ? item : merge(known, item));
  }
  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, BATCH);
      for (const item of batch) waiting.delete(nameOf(item));
      try {
        await write(batch);
      } catch (error) {
        batch.forEach(put);
        options.onFailed(error, waiting.size);
        schedule();
        return;
      }
    }
  }
  function schedule(): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, afterMs);
  }
  /** It is of many requests, so no caller's deadline ends it. */
  function flush(): Promise<void> {
    return (writing = writing.then(() => withoutDeadline(writeAll)));
  }
  return {
    add(item) {
      if (waiting.size >= max && !waiting.has(nameOf(item))) {
        options.onDropped?.();
        return;
      }
      put(item);
      schedule();
    },
    flush,
    close() {
      closed = true;
      clearTimeout(timer);
      return flush();
    },
  };
}
