/** Answers that one share keeps; more than any deployment has pages that are open at once. */
const KEPT = 500;

interface Known {
  readonly until: number;
  readonly value: Promise<unknown>;
}

/** Reads that several people ask for at once, read once: within `forMs` of the first, everybody gets its answer. An error is shared by those who wait for it, and kept for nobody. */
export interface ReadShare {
  /**
   * @param place whose answers these are, such as a database; they go when it goes
   * @param key whatever the answer depends on, but for the place
   */
  readonly of: <Value>(place: object, key: string, read: () => Promise<Value>) => Promise<Value>;
}

/** @param forMs milliseconds @param now milliseconds of a clock that never goes back */
export function createReadShare(forMs: number, now: () => number = () => performance.now()): ReadShare {
  const places = new WeakMap<object, Map<string, Known>>();
  return {
    of<Value>(place: object, key: string, read: () => Promise<Value>): Promise<Value> {
      const answers = places.get(place) ?? new Map<string, Known>();
      places.set(place, answers);
      const known = answers.get(key);
      if (known !== undefined && known.until > now()) return known.value as Promise<Value>;
      if (answers.size >= KEPT) answers.clear();
      const value = read();
      const entry = { until: now() + forMs, value };
      answers.set(key, entry);
      value.catch(() => {
        if (answers.get(key) === entry) answers.delete(key);
      });
      return value;
    },
  };
}
