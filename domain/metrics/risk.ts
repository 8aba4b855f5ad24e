/** How long money has been in doubt, and the times that a chart of it covers. Pure: the moment of reading is passed in. */

/** Steps of age, the youngest first; `toSeconds` undefined: and older. */
export const AGE_STEPS = [
  { label: "under 5 min", fromSeconds: 0, toSeconds: 300 },
  { label: "5 to 15", fromSeconds: 300, toSeconds: 900 },
  { label: "15 to 30", fromSeconds: 900, toSeconds: 1_800 },
  { label: "over 30 min", fromSeconds: 1_800, toSeconds: undefined },
] as const;

export const RISK_RANGES = ["1h", "2h", "6h", "24h", "3d", "7d"] as const;
export type RiskRange = (typeof RISK_RANGES)[number];
export const DEFAULT_RISK_RANGE = "2h" satisfies RiskRange;

/** Length of the chart and of its steps, seconds: 240 to 360 of them. */
export const RISK_TIMES: Readonly<Record<RiskRange, { readonly seconds: number; readonly stepSeconds: number }>> = {
  "1h": { seconds: 3_600, stepSeconds: 15 },
  "2h": { seconds: 7_200, stepSeconds: 30 },
  "6h": { seconds: 21_600, stepSeconds: 60 },
  "24h": { seconds: 86_400, stepSeconds: 300 },
  "3d": { seconds: 259_200, stepSeconds: 900 },
  "7d": { seconds: 604_800, stepSeconds: 1_800 },
};

/** Days that what was rolled up by the minute is kept, and doubts that ended: what is older is not known. */
export const RISK_DAYS = 31;

/** A part of the time, RFC 3339 UTC, half open. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** What a chart covers: steps of `stepSeconds` from `from` on, and the moment `to`. */
export interface RiskTime extends Span {
  readonly range: RiskRange;
  readonly stepSeconds: number;
  /** Steps; there is one point more. */
  readonly steps: number;
  /** It ends at the moment of reading. */
  readonly live: boolean;
}

const MINUTE = 60;
/** Of a window that lies before the chart, this part of the chart stands behind it. */
const BEHIND = 0.25;

/**
 * The time of a chart: up to now, or, where the window begins before that, around the window.
 * @param now RFC 3339, of the database
 */
export function riskTime(range: RiskRange, now: string, window?: Span): RiskTime {
  const { seconds: length, stepSeconds } = RISK_TIMES[range];
  const present = seconds(now);
  const moved =
    window !== undefined && seconds(window.from) < present - length
      ? Math.min(present, seconds(window.to) + Math.round(length * BEHIND))
      : present;
  const live = moved === present;
  const end = live ? present : Math.ceil(moved / stepSeconds) * stepSeconds;
  const from = Math.ceil((end - length) / stepSeconds) * stepSeconds;
  const steps = Math.max(1, Math.ceil((end - from) / stepSeconds));
  return { range, from: text(from), to: live ? now : text(end), stepSeconds, steps, live };
}

/** Where each step of a chart begins, and its end, RFC 3339. */
export function riskPoints({ from, to, stepSeconds, steps }: RiskTime): readonly string[] {
  const first = seconds(from);
  return Array.from({ length: steps + 1 }, (_, index) => (index === steps ? to : text(first + index * stepSeconds)));
}

/**
 * The window that was asked for: whole minutes, at most as long as the chart, at least one minute, never in the future.
 * @returns undefined where no whole window was asked for
 */
export function askedWindow(
  range: RiskRange,
  now: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Span | undefined {
  if (from === undefined || to === undefined) return undefined;
  const last = Math.ceil(seconds(now) / MINUTE) * MINUTE;
  const end = Math.min(last, Math.ceil(seconds(to) / MINUTE) * MINUTE);
  const begin = Math.floor(seconds(from) / MINUTE) * MINUTE;
  const first = Math.max(begin, end - RISK_TIMES[range].seconds);
  return first < end ? { from: text(first), to: text(end) } : undefined;
}

/**
 * From when on a chart has its data.
 * @param wholeFrom where the number of doubts that are read came to its end, RFC 3339
 * @returns steps from the beginning on of which nothing, or not everything, is known
 */
export function unknownSteps(time: RiskTime, now: string, wholeFrom?: string): number {
  const kept = seconds(now) - RISK_DAYS * 86_400;
  const known = Math.max(kept, wholeFrom === undefined ? kept : seconds(wholeFrom));
  return Math.min(time.steps + 1, Math.max(0, Math.ceil((known - seconds(time.from)) / time.stepSeconds)));
}

/** The whole of a chart as a window: whole minutes. */
export function wholeWindow({ from, to }: RiskTime): Span {
  const first = Math.floor(seconds(from) / MINUTE) * MINUTE;
  return { from: text(first), to: text(Math.ceil(seconds(to) / MINUTE) * MINUTE) };
}

function seconds(iso: string): number {
  return Date.parse(iso) / 1_000;
}

function text(value: number): string {
  return new Date(value * 1_000).toISOString();
}
