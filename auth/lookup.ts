import { beforeDeadline, OutOfTimeError, withoutDeadline } from "@/db/deadline";

/** A short memory of what the database said about an id. */
export interface Lookup<Row> {
  get(id: string): Promise<Row | undefined>;
  forget(id: string): void;
  readonly size: number;
}

export interface LookupOptions<Row> {
  readonly read: (id: string) => Promise<Row | undefined>;
  /** Milliseconds, counted from when the read began: a row is never believed longer than this. */
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Entry<Row> {
  readonly row: Promise<Row | undefined>;
  readonly until: number;
}

/**
 * Reads through a bounded memory. Callers that ask at once share one read; a row that is not there and a read that failed
 * are not remembered, so that made-up ids cannot push real ones out for longer than their read takes.
 */
export function createLookup<Row>(options: LookupOptions<Row>): Lookup<Row> {
  const now = options.now ?? (() => performance.now());
  const entries = new Map<string, Entry<Row>>();

  function remember(id: string): Promise<Row | undefined> {
    entries.delete(id);
    if (entries.size >= options.maxEntries) {
      const oldest = entries.keys().next();
      if (oldest.done !== true) entries.delete(oldest.value);
    }
    const entry: Entry<Row> = { row: withoutDeadline(() => options.read(id)), until: now() + options.ttlMs };
    entries.set(id, entry);
    const drop = () => {
      if (entries.get(id) === entry) entries.delete(id);
    };
    entry.row.then((row) => {
      if (row === undefined) drop();
    }, drop);
    return entry.row;
  }

  return {
    get(id) {
      const entry = entries.get(id);
      const row = entry !== undefined && now() < entry.until ? entry.row : remember(id);
      return beforeDeadline(row, () => {
        // Whoever comes next does not wait for a read that stands still.
        if (entries.get(id)?.row === row) entries.delete(id);
        return new OutOfTimeError("not_started");
      });
    },
    forget(id) {
      entries.delete(id);
    },
    get size() {
      return entries.size;
    },
  };
}
