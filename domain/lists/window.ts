/** Time windows of lists. `all` is a deliberate choice. */
export const RANGES = ["1h", "6h", "24h", "7d", "30d", "all"] as const;

export type Range = (typeof RANGES)[number];

const RANGE_HOURS: Readonly<Record<Range, number | undefined>> = {
  "1h": 1,
  "6h": 6,
  "24h": 24,
  "7d": 168,
  "30d": 720,
  all: undefined,
};

export interface TimeWindow {
  readonly range: Range;
  /** Instead of the range. RFC 3339 UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @returns hours that the range covers; undefined: all time, or an explicit start. */
export function windowHours(window: TimeWindow): number | undefined {
  return window.from === undefined ? RANGE_HOURS[window.range] : undefined;
}

/** Least ages that lists of messages may be narrowed to. */
export const OLDER = ["1m", "10m", "1h", "24h"] as const;

export type Older = (typeof OLDER)[number];

const SECONDS: Readonly<Record<Older, number>> = { "1m": 60, "10m": 600, "1h": 3_600, "24h": 86_400 };

/** @returns whole seconds. */
export function olderSeconds(older: Older): number {
  return SECONDS[older];
}
