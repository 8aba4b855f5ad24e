/** Answers that one share keeps; more than any deployment has pages that are open at once. */
const KEPT = 500;

interface Known {
  until: number;
  /** Longer than others. */
  kept: boolean;
  readonly value: Promise<unknown>;
}

/** Reads that several people ask for at once, read once: within `forMs` of the first, everybody gets its answer. An error is shared by those who wait for it, and kept for nobody. */
export interface ReadShare {
  /**
   * @param place whose answers these are, such as a database; they go when it goes
   * @param key whatever the answer depends on, but for the place
   * @param keptMs of an answer that is dear: milliseconds that it serves from its end on, and then until the next one ends; 0: like all others
   */
  readonly of: <Value>(
    place: object,
    key: string,
    read: () => Promise<Value>,
    keptMs?: (value: Value) => number,
  ) => Promise<Value>;
}

/** @param forMs milliseconds; 0: only what is dear is shared @param now milliseconds of a clock that never goes back */
export function createReadShare(forMs: number, now: () => number = () => performance.now()): ReadShare {
  const places = new WeakMap<object, Map<string, Known>>();
  return {
    of<Value>(place: object, key: string, read: () => Promise<Value>, keptMs?: (value: Value) => number) {
      const answers = places.get(place) ?? new Map<string, Known>();
      places.set(place, answers);
      const known = answers.get(key);
      if (known !== undefined && known.until > now()) return known.value as Promise<Value>;
      if (answers.size >= KEPT) answers.clear();
      const value = read();
      const until = now() + forMs;
      // What was dear the last time is under way once.
      const entry: Known = { until: known?.kept === true ? Infinity : until, kept: false, value };
      answers.set(key, entry);
      value.then(
        (answer) => {
          const ms = keptMs?.(answer) ?? 0;
          entry.kept = ms > 0;
          entry.until = entry.kept ? now() + ms : until;
        },
        () => {
          if (answers.get(key) === entry) answers.delete(key);
        },
      );
      return value;
    },
  };
}
