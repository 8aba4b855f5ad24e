/** Values that a process remembers for a while. Any of them may be forgotten at any time. */
export interface TtlCache<Value> {
  get(name: string): { readonly value: Value } | undefined;
  set(name: string, value: Value): void;
  delete(name: string): void;
}

/** @param max values at once @param clock monotonic milliseconds */
export function createTtlCache<Value>(
  ttlMs: number,
  max: number,
  clock: () => number = () => performance.now(),
): TtlCache<Value> {
  const known = new Map<string, { readonly until: number; readonly value: Value }>();
  return {
    get(name) {
      const kept = known.get(name);
      return kept !== undefined && kept.until > clock() ? kept : undefined;
    },
    set(name, value) {
      if (known.size >= max) known.clear();
      known.set(name, { until: clock() + ttlMs, value });
    },
    delete: (name) => void known.delete(name),
  };
}
