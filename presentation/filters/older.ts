/** Least ages that lists of messages may be narrowed to. */
export const OLDER = ["1m", "10m", "1h", "24h"] as const;
export type Older = (typeof OLDER)[number];

const SECONDS: Readonly<Record<Older, number>> = { "1m": 60, "10m": 600, "1h": 3_600, "24h": 86_400 };

/** @returns whole seconds. */
export function olderSeconds(older: Older): number {
  return SECONDS[older];
}
