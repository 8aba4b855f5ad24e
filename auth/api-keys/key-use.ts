import type { Database } from "@/db/client";
import { withoutDeadline } from "@/db/deadline";
import { touchApiKeys } from "@/db/access/api-keys";

/** How long a use waits for others before it is written. */
const FLUSH_AFTER_MS = 1_000;
const MINUTE_MS = 60_000;
/** Keys whose last minute one process remembers; beyond it all are forgotten, which costs one write each. */
const MAX_REMEMBERED = 10_000;
const BATCH = 500;

const uses = new WeakMap<Database, KeyUse>();

/** @returns the one of this database handle. */
export function keyUseOf(db: Database): KeyUse {
  const known = uses.get(db);
  if (known !== undefined) return known;
  const made = createKeyUse(db);
  uses.set(db, made);
  return made;
}

/** The last use of each key, written in batches off the request's path, at most once a minute and key. */
export type KeyUse = ReturnType<typeof createKeyUse>;

/** @param now of the wall clock; decides when a key is worth a write, never what is written */
export function createKeyUse(db: Pick<Database, "pool">, now: () => number = Date.now) {
  const minutes = new Map<string, number>();
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const taken = [...waiting];
    waiting = new Set();
    for (let start = 0; start < taken.length; start += BATCH) {
      try {
        await withoutDeadline(() => touchApiKeys(db.pool, taken.slice(start, start + BATCH)));
      } catch {
        // Only a hint for people: the next use in another minute writes it again.
        return;
      }
    }
  }
  return {
    note(keyId: string): void {
      const minute = Math.floor(now() / MINUTE_MS);
      if (minutes.get(keyId) === minute) return;
      if (minutes.size >= MAX_REMEMBERED) minutes.clear();
      minutes.set(keyId, minute);
      waiting.add(keyId);
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS);
      timer.unref();
    },
    flush,
  };
}
