import { beforeDeadline, OutOfTimeError, withoutDeadline } from "@/db/deadline";

/** How long a process may go on reading bodies whose key was destroyed elsewhere. */
export const DATA_KEY_CACHE_MS = 60_000;
/**
 * So long before its end a key is read again while the old one still serves. Bodies are sealed inside transactions, and a key
 * that is read there needs a second connection: when all are taken by transactions that wait for it, none is ever free.
 */
export const READ_AGAIN_MS = 30_000;
/** Keys that one process holds; the one loaded longest ago goes first. */
const MAX_CACHED = 2_000;

interface Cached {
  readonly key: Promise<Buffer>;
  readonly until: number;
  reading: boolean;
}

/** Unwrapped keys in memory, by name. */
export interface KeyCache {
  /** @param load reads the key; many who ask at once share one read, and a failed read is not kept */
  get(name: string, load: () => Promise<Buffer>): Promise<Buffer>;
  forget(name: string): void;
}

/** @param isGone whether an error of `load` says that the key is no more: then what is in memory goes at once */
export function createKeyCache(isGone: (error: unknown) => boolean): KeyCache {
  const cache = new Map<string, Cached>();

  function keep(name: string, entry: Cached): void {
    cache.delete(name);
    if (cache.size >= MAX_CACHED) {
      const oldest = cache.keys().next();
      if (oldest.done !== true) cache.delete(oldest.value);
    }
    cache.set(name, entry);
  }

  /** What is known serves until its own end; a read that failed may be tried again before it. */
  function readAgain(name: string, known: Cached, load: () => Promise<Buffer>): void {
    known.reading = true;
    const next = read(load);
    next.key.then(
      () => {
        if (cache.get(name) === known) keep(name, next);
      },
      (error: unknown) => {
        known.reading = false;
        if (isGone(error) && cache.get(name) === known) cache.delete(name);
      },
    );
  }
  /** The read is everybody's, the wait each caller's own; whoever comes next does not wait for one that stands still. */
  function inTime(name: string, entry: Cached): Promise<Buffer> {
    return beforeDeadline(entry.key, () => {
      if (cache.get(name) === entry) cache.delete(name);
      return new OutOfTimeError("not_started");
    });
  }
  return {
    get(name, load) {
      const known = cache.get(name);
      const left = known === undefined ? 0 : known.until - performance.now();
      if (known !== undefined && left > 0) {
        if (left < READ_AGAIN_MS && !known.reading) readAgain(name, known, load);
        return inTime(name, known);
      }
      const first = read(load);
      keep(name, first);
      first.key.catch(() => {
        if (cache.get(name) === first) cache.delete(name);
      });
      return inTime(name, first);
    },
    forget: (name) => void cache.delete(name),
  };
}

function read(load: () => Promise<Buffer>): Cached {
  return { until: performance.now() + DATA_KEY_CACHE_MS, key: withoutDeadline(load), reading: false };
}
