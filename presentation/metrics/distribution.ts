import { BIN_LIMITS_MS, binCount, NO_ANSWER_BIN, TOO_FAST_BIN, type BinMeasure } from "@/domain/metrics/bins";
import type { ChartWindow } from "@/domain/metrics/chart-window";
import { claimWords, type PageClaim } from "@/domain/page-claim";
import { writtenTime } from "@/domain/written-time";
import { formatAge, formatClock, formatCount, formatDuration } from "../format/display-time";
import { plural } from "../format/words";
import type { DistributionView } from "../views/heatmap";
import { gapsOf } from "./gaps";

export interface DistributionInput {
  readonly measure: BinMeasure;
  readonly window: ChartWindow;
  readonly times: readonly string[];
  /** Minutes of each column that have bins. */
  readonly minutes: readonly { readonly slot: number; readonly minutes: number }[];
  readonly bins: readonly { readonly slot: number; readonly bin: number; readonly count: number }[];
  readonly at: string;
  /** How long this process waits for the provider at the most. */
  readonly providerLimitMs?: number | undefined;
}

/** Lays bins on columns: one without answers has zeros, one without bins is null. */
export function buildDistribution(input: DistributionInput): DistributionView {
  const { measure, window, times, minutes, bins, at, providerLimitMs } = input;
  const known = new Set(minutes.map(({ slot }) => slot));
  const size = binCount(measure);
  const columns = times.map((_, slot) => (known.has(slot) ? new Array<number>(size).fill(0) : null));
  const totals = new Array<number>(size).fill(0);
  for (const { slot, bin, count } of bins) {
    const column = columns[slot];
    if (column === null || column === undefined || bin >= size) continue;
    column[bin] = (column[bin] ?? 0) + count;
    totals[bin] = (totals[bin] ?? 0) + count;
  }
  const measured = times.filter((_, slot) => known.has(slot));
  const { unmeasured } = gapsOf(window, measured, at);
  return { measure, window, times, columns, totals, unmeasured, ...(isFirst({ measure }) && { providerLimitMs }) };
}

/**
 * Where a time lies among bins that are drawn one above the other, the shortest at 0 and each 1 high. Bins double, so half way up one of
 * 200 to 400 ms is 283 ms.
 *
 * @returns undefined: in the open bin, which has no scale
 */
export function placeAmongBins(measure: BinMeasure, ms: number): number | undefined {
  const limits = BIN_LIMITS_MS[measure];
  const bin = limits.filter((limit) => ms >= limit).length;
  const [low, high] = [limits[bin - 1], limits[bin]];
  if (high === undefined) return undefined;
  return bin + (low === undefined ? ms / high : Math.log(ms / low) / Math.log(high / low));
}

/** Shares of a column from which on a step of the ramp begins. */
export const SHADE_STEPS = [0.005, 0.02, 0.05, 0.1, 0.25] as const;

/** @returns 1 to 6 by the share of its column, 0 for none */
export function shadeOf(count: number, total: number): number {
  return count === 0 || total === 0 ? 0 : 1 + SHADE_STEPS.filter((least) => count / total >= least).length;
}

/** What a bin holds: "under 25 ms", "50 to 100 ms", "over 3.2 s", "no answer". */
export function binLabel(measure: BinMeasure, bin: number): string {
  if (measure === "first_answer" && bin === NO_ANSWER_BIN) return "no answer";
  const limits = BIN_LIMITS_MS[measure];
  const [from, to] = [limits[bin - 1], limits[bin]];
  if (from === undefined) return `under ${limitText(to ?? 0)}`;
  if (to === undefined) return `over ${limitText(from)}`;
  const [low, high] = [limitText(from), limitText(to)];
  const unit = high.slice(high.lastIndexOf(" "));
  return `${low.endsWith(unit) ? low.slice(0, -unit.length) : low} to ${high}`;
}

/** A limit of a bin in one number and one unit: "400 ms", "1.6 s", "5 min". */
export function limitText(ms: number): string {
  if (ms < 1_000) return formatDuration(ms);
  return ms < 60_000 ? `${String(ms / 1_000)} s` : formatAge(ms);
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** How many came, whatever their time. */
export function timedCount({ measure, totals }: Pick<DistributionView, "measure" | "totals">): number {
  return sum(measure === "first_answer" ? totals.slice(0, NO_ANSWER_BIN) : totals);
}

/** Of how many a share is taken at the most that is said of them. */
const FEW = 20;

/** @returns the lowest limit that at least this share of all lay under; undefined: it lies in the open bin */
function limitOf({ measure, totals }: DistributionView, share: number): number | undefined {
  const all = timedCount({ measure, totals });
  let under = 0;
  for (const [bin, limit] of BIN_LIMITS_MS[measure].entries()) {
    under += totals[bin] ?? 0;
    if (under >= all * share) return limit;
  }
  return undefined;
}

function worst(view: DistributionView): { readonly from: string; readonly count: number } {
  const counts = view.columns.map((column) => column?.[NO_ANSWER_BIN] ?? 0);
  const count = Math.max(0, ...counts);
  return { from: view.times[counts.indexOf(count)] ?? "", count };
}

const isFirst = ({ measure }: Pick<DistributionView, "measure">): boolean => measure === "first_answer";
const never = ({ totals }: DistributionView): number => totals[NO_ANSWER_BIN] ?? 0;
const enough = (view: DistributionView): boolean => timedCount(view) >= FEW;
/** The longest limit of all bins, and those that lay beyond it. */
const lastLimit = ({ measure }: Pick<DistributionView, "measure">): number => BIN_LIMITS_MS[measure].at(-1) ?? 0;
const beyond = ({ measure, totals }: DistributionView): number => totals[BIN_LIMITS_MS[measure].length] ?? 0;

/** What is said of a distribution; each names limits of bins, never a time between them. */
export const DISTRIBUTION_CLAIMS: readonly PageClaim<DistributionView>[] = [
  {
    name: "no bins",
    holds: ({ columns }) => columns.every((column) => column === null),
    words: () => "No minute of this time has a distribution yet. It is kept since the last update of Onceboard.",
  },
  {
    name: "none",
    holds: (view) => view.columns.some((column) => column !== null) && sum(view.totals) === 0,
    words: (view) => (isFirst(view) ? "No request was answered for the first time." : "No key was used again."),
  },
  {
    name: "half and most",
    holds: (view) => enough(view) && limitOf(view, 0.5) !== undefined && limitOf(view, 0.95) !== undefined,
    words: (view) => {
      const [half, most] = [limitOf(view, 0.5) ?? 0, limitOf(view, 0.95) ?? 0];
      const what = isFirst(view) ? "answers took" : "retries came";
      const less = (limit: number) => (isFirst(view) ? `less than ${limitText(limit)}` : `within ${limitText(limit)}`);
      return half === most
        ? `At least 95 % of ${isFirst(view) ? "first " : ""}${what} ${less(most)}.`
        : `At least half of ${isFirst(view) ? "first " : ""}${what} ${less(half)}, at least 95 % ${less(most)}.`;
    },
  },
  {
    name: "beyond the bins",
    holds: (view) => enough(view) && beyond(view) > 0 && limitOf(view, 0.95) === undefined,
    words: (view) => {
      const share = `${formatCount(beyond(view))} of ${formatCount(timedCount(view))}`;
      const limit = limitText(lastLimit(view));
      return isFirst(view)
        ? `${share} first answers took ${limit} or longer.`
        : `${share} retries came after ${limit} or later.`;
    },
  },
  {
    name: "too fast",
    holds: (view) => !isFirst(view) && (view.totals[TOO_FAST_BIN] ?? 0) > 0,
    words: ({ totals }) => `${plural(totals[TOO_FAST_BIN] ?? 0, "request")} reused a key too fast, within 100 ms.`,
  },
  {
    name: "never answered",
    holds: (view) => isFirst(view) && never(view) > 0,
    words: (view) => {
      const { from, count } = worst(view);
      const all = plural(never(view), "request");
      if (count * 2 <= never(view)) return `${all} had no answer.`;
      const when = columnTime(from, view);
      const most = never(view) === 1 ? `at ${when}` : `most at ${when}: ${formatCount(count)}`;
      return `${all} had no answer, ${most}.`;
    },
  },
  {
    name: "limit among the bins",
    holds: ({ measure, providerLimitMs: ms }) => ms !== undefined && placeAmongBins(measure, ms) !== undefined,
    words: ({ providerLimitMs: ms = 0 }) =>
      `The line is the limit of the provider: this process waits ${limitText(ms)} for it at the most.`,
  },
  {
    name: "limit beyond the bins",
    holds: ({ measure, providerLimitMs: ms }) => ms !== undefined && placeAmongBins(measure, ms) === undefined,
    words: (view) =>
      `The limit of the provider lies in “${binLabel(view.measure, BIN_LIMITS_MS[view.measure].length)}”: this process waits ${limitText(view.providerLimitMs ?? 0)} for it at the most.`,
  },
  {
    name: "columns without bins",
    holds: ({ columns, unmeasured }) => unmeasured > 0 && columns.some((column) => column !== null),
    words: ({ unmeasured, columns }) =>
      `No data for ${formatCount(unmeasured)} of ${plural(columns.length, "column")}.`,
  },
];

export function distributionWords(view: DistributionView): string {
  return claimWords(DISTRIBUTION_CLAIMS, view).join(" ");
}

/** When a column began, in UTC. */
function columnTime(from: string, { window }: DistributionView): string {
  const day = Date.parse(window.to) - Date.parse(window.from) > 86_400_000 / 2;
  return day ? writtenTime(from) : `${formatClock(from, "utc").slice(0, 5)} UTC`;
}
