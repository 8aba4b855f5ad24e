import { displayMoney } from "@/domain/money";
import { firstWords, type PageClaim } from "@/domain/page-claim";
import { RISK_TIMES, type RiskTime } from "@/domain/metrics/risk";
import { formatClock, formatDuration } from "../format/display-time";
import { plural, spokenDuration } from "../format/words";
import type { RiskSeries } from "../views/risk";

/** What was read for the chart. */
export interface RiskFacts {
  readonly time: RiskTime;
  readonly points: readonly string[];
  readonly series: readonly RiskSeries[];
  /** Doubts at any moment of the chart, also those between two points. */
  readonly doubts: number;
  /** More than were read. */
  readonly capped: boolean;
}

/** "2 hours". */
export function rangeWords({ range }: Pick<RiskTime, "range">): string {
  return spokenDuration(RISK_TIMES[range].seconds * 1_000);
}

/** "in these 2 hours". */
const inTheChart = ({ time }: RiskFacts): string =>
  time.range === "1h" ? "in this hour" : `in these ${rangeWords(time)}`;
const drawn = ({ series }: RiskFacts): boolean => series.some(({ counts }) => counts.some((count) => count > 0));

/** Why there is no chart; the first that holds. */
export const NO_CHART_CLAIMS: readonly PageClaim<RiskFacts>[] = [
  {
    name: "nothing was in doubt",
    holds: ({ doubts }) => doubts === 0,
    words: (facts) => `Nothing was in doubt ${inTheChart(facts)}.`,
  },
  {
    name: "doubts between two points",
    holds: (facts) => facts.doubts > 0 && !facts.capped && !drawn(facts),
    words: (facts) => {
      const { doubts, time } = facts;
      const were = doubts === 1 ? "1 operation was" : `${plural(doubts, "operation")} were`;
      return `${were} in doubt ${inTheChart(facts)}, for less than ${formatDuration(time.stepSeconds * 1_000)}${doubts === 1 ? "" : " each"}.`;
    },
  },
];

/** What the chart of one currency does not show. */
export const CHART_NOTES: readonly PageClaim<RiskFacts>[] = [
  {
    name: "more doubts than are read",
    holds: ({ capped }) => capped,
    words: () => "There were more doubts than are drawn: the longest ago are left out.",
  },
  {
    name: "operations without an amount",
    holds: (facts) => drawn(facts) && facts.series.some(({ currency }) => currency === ""),
    words: ({ series }) => {
      const most = Math.max(0, ...series.filter(({ currency }) => currency === "").flatMap(({ counts }) => counts));
      return `Up to ${plural(most, "operation")} in doubt had no amount.`;
    },
  },
];

/** The end of the chart of one currency. */
export interface EndFacts {
  /** By step of age, the youngest first. */
  readonly counts: readonly number[];
  readonly labels: readonly string[];
}

/** How old what is in doubt at the end is; the first that holds. */
export const END_AGE_CLAIMS: readonly PageClaim<EndFacts>[] = [
  {
    name: "all of one age",
    holds: ({ counts }) => counts.filter((count) => count > 0).length === 1,
    words: ({ counts, labels }) => `all ${labels[counts.findIndex((count) => count > 0)] ?? ""}${unit(counts)}`,
  },
  {
    name: "some of the oldest age",
    holds: ({ counts }) => (counts.at(-1) ?? 0) > 0,
    words: ({ counts, labels }) => `${String(counts.at(-1) ?? 0)} ${labels.at(-1) ?? ""}`,
  },
  { name: "younger", holds: () => true, words: ({ labels }) => `none ${labels.at(-1) ?? ""}` },
];

/** The steps in the middle name their unit in the legend only. */
function unit(counts: readonly number[]): string {
  const only = counts.findIndex((count) => count > 0);
  return only > 0 && only < counts.length - 1 ? " min" : "";
}

/** "Money in doubt: nothing until 14:02, €48,191.22 at 14:09, €43,818.11 now." @param shown what is drawn */
export function spokenChart({ points, time }: RiskFacts, shown: RiskSeries): string {
  const clock = (index: number): string => formatClock(points[index] ?? "", "utc").slice(0, 5);
  const money = (index: number): string => amountAt(shown, index);
  const first = shown.counts.findIndex((count) => count > 0);
  const totals = shown.totals.map(BigInt);
  const highest = totals.reduce(
    (best, total, index) => (total > (totals[best] ?? 0n) ? index : best),
    Math.max(0, first),
  );
  const last = points.length - 1;
  const parts = [
    ...(first > 0 ? [`nothing until ${clock(first)}`] : []),
    ...(highest < last ? [`${money(highest)} at ${clock(highest)}, the most`] : []),
    `${shown.counts[last] === 0 ? "nothing" : money(last)} ${time.live ? "now" : `at ${clock(last)}`}`,
  ];
  return `Money in doubt: ${parts.join(", ")}. Times in UTC.`;
}

export function amountAt(series: RiskSeries, index: number): string {
  const minor = series.totals[index] ?? "0";
  if (series.currency === "") return plural(series.counts[index] ?? 0, "operation");
  return displayMoney(BigInt(minor), series.currency);
}

export function endAge(series: RiskSeries): string {
  return firstWords(END_AGE_CLAIMS, {
    counts: series.steps.map(({ counts }) => counts.at(-1) ?? 0),
    labels: series.steps.map(({ label }) => label),
  });
}
