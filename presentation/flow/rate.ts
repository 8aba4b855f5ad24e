import type { FlowEdge } from "../views/flow";
import { formatAge, formatCount, formatDuration } from "../format/display-time";

const TENTH = 0.1;
const TEN = 10;

/** Messages a minute: "61", "4.2", "under 0.1", "0"; "–" where nothing was measured. */
export function formatRate(rate: number | undefined): string {
  if (rate === undefined) return "–";
  if (rate === 0) return "0";
  if (rate < TENTH) return "under 0.1";
  const tenths = Math.round(rate * TEN) / TEN;
  return tenths < TEN ? String(tenths) : formatCount(Math.round(rate));
}

/** The same of a quantity that may be an estimate: "~76". */
export function formatQuantity({ rate, about }: Pick<FlowEdge, "rate" | "about">): string {
  if (about === undefined || rate === undefined) return formatRate(rate);
  return `~${rate < TENTH ? "0" : formatRate(rate)}`;
}

/** @returns undefined where one of them is not known */
export function sumOfRates(rates: readonly (number | undefined)[]): number | undefined {
  return rates.reduce((sum, rate) => (sum === undefined || rate === undefined ? undefined : sum + rate), 0);
}

const MINUTE_MS = 60_000;

/** How long the oldest waits: "41 s", "7 min 12 s". */
export function formatWait(ms: number): string {
  return ms < MINUTE_MS ? formatAge(ms) : formatDuration(ms);
}
