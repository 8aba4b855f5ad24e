import type { Database } from "@/db/client";
import { withoutDeadline } from "@/db/deadline";
import { recordRefusals, type RefusalCount } from "@/db/operations/record-events";
import type { Log } from "../telemetry/log";

/** Different (tenant, client, code) that wait in memory at the most; another one is given up and counted. */
const MAX_WAITING = 2_000;
const BATCH = 500;
const FLUSH_AFTER_MS = 500;

/**
 * Counts requests that left no operation (no key, a bad key, not a command) and writes the counts off the request's path, within
 * a second and on `close`. Same counts wait as one; when the database is away they wait on.
 */
export interface RefusalRecorder {
  add(refusal: Pick<RefusalCount, "tenantId" | "client" | "code">): void;
  /** @returns when everything added so far is in the database, or could not be written. */
  flush(): Promise<void>;
  close(): Promise<void>;
  /** Requests that were not counted because the database stayed away and memory was full. */
  readonly dropped: number;
}

export function createRefusalRecorder(db: Pick<Database, "pool">, log: Log): RefusalRecorder {
  const waiting = new Map<string, RefusalCount>();
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let writing: Promise<void> = Promise.resolve();

  function put(refusal: RefusalCount): void {
    const name = JSON.stringify([refusal.tenantId, refusal.client, refusal.code]);
    const known = waiting.get(name);
    if (known === undefined && waiting.size >= MAX_WAITING) {
      dropped += refusal.count;
      return;
    }
    waiting.set(name, { ...refusal, count: (known?.count ?? 0) + refusal.count });
  }

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const taken = [...waiting].slice(0, BATCH);
      for (const [name] of taken) waiting.delete(name);
      const batch = taken.map(([, refusal]) => refusal);
      try {
        await withoutDeadline(() => recordRefusals(db.pool, batch));
      } catch (error) {
        batch.forEach(put);
        log.warn({ err: error, waiting: waiting.size }, "counts of refused requests could not be written, they wait");
        if (!closed) schedule();
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
  async function flush(): Promise<void> {
    writing = writing.then(writeAll);
    await writing;
  }
  return {
    add(refusal) {
      put({ ...refusal, count: 1 });
      schedule();
    },
    flush,
    async close() {
      closed = true;
      clearTimeout(timer);
      timer = undefined;
      await flush();
    },
    get dropped() {
      return dropped;
    },
  };
}
