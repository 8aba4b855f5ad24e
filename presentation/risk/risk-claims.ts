import { displayMoney } from "@/domain/money";
import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import { RISK_DAYS, RISK_TIMES, type RiskTime } from "@/domain/metrics/risk";
import { plural, spokenDuration } from "../format/words";
import type { RiskSeries } from "../views/risk";
import { momentText } from "./moment-text";

/** What was read for the chart. */
export interface RiskFacts {
  readonly time: RiskTime;
  readonly points: readonly string[];
  readonly series: readonly RiskSeries[];
  /** Points from the first one on of which nothing is known, or not everything. */
  readonly unknown: number;
  /** Doubts at any moment of the chart. */
  readonly doubts: number;
  /** More than were read, and it is not known from when on. */
  readonly capped: boolean;
  /** More ended than were read: those before this moment are left out. */
  readonly wholeFrom?: string | undefined;
}

/** "2 hours". */
export function rangeWords({ range }: Pick<RiskTime, "range">): string {
  return spokenDuration(RISK_TIMES[range].seconds * 1_000);
}

/** "in these 2 hours". */
const inTheChart = ({ time }: RiskFacts): string =>
  time.range === "1h" ? "in this hour" : `in these ${rangeWords(time)}`;
const drawn = ({ series }: RiskFacts): boolean => series.some(({ counts }) => counts.some((count) => count > 0));
/** From here on everything is known: the days are named where a chart has several. */
const knownFrom = ({ points, unknown, time }: RiskFacts): string => momentText(points[unknown] ?? time.to, time);
const old = ({ unknown, wholeFrom }: RiskFacts): boolean => unknown > 0 && wholeFrom === undefined;
const allGone = (facts: RiskFacts): boolean => facts.unknown >= facts.points.length;

/** Why there is no chart; the first that holds. */
export const NO_CHART_CLAIMS: readonly PageClaim<RiskFacts>[] = [
  {
    name: "all of it is too long ago",
    holds: (facts) => old(facts) && allGone(facts),
    words: () => `What was in doubt is kept for ${String(RISK_DAYS)} days: nothing is known of this time.`,
  },
  {
    name: "nothing was in doubt as far as it is known",
    holds: (facts) => old(facts) && !allGone(facts) && !drawn(facts),
    words: (facts) => `Nothing was in doubt from ${knownFrom(facts)} UTC on. Of the time before nothing is kept.`,
  },
  {
    name: "nothing was in doubt",
    holds: ({ doubts, unknown }) => doubts === 0 && unknown === 0,
    words: (facts) => `Nothing was in doubt ${inTheChart(facts)}.`,
  },
];

/** What the chart of one currency does not show. */
export const CHART_NOTES: readonly PageClaim<RiskFacts>[] = [
  {
    name: "more doubts than are read",
    holds: ({ capped }) => capped,
    words: () => "More was in doubt than is drawn: some of it is left out.",
  },
  {
    name: "no data before, for there are too many",
    holds: ({ unknown, wholeFrom }) => unknown > 0 && wholeFrom !== undefined,
    words: (facts) =>
      `More operations were in doubt than a chart reads: it begins at ${knownFrom(facts)} UTC. Choose a shorter time.`,
  },
  {
    name: "no data before, for it is too long ago",
    holds: (facts) => old(facts) && drawn(facts),
    words: (facts) =>
      `What was in doubt is kept for ${String(RISK_DAYS)} days: nothing is known before ${knownFrom(facts)} UTC.`,
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

interface SpokenFacts extends RiskFacts {
  /** What is drawn. */
  readonly shown: RiskSeries;
}

const clockAt = ({ points, time }: SpokenFacts, index: number): string => momentText(points[index] ?? "", time);
const begins = ({ shown }: SpokenFacts): number => shown.counts.findIndex((count) => count > 0);
const ends = ({ points }: SpokenFacts): number => points.length - 1;
function highest(facts: SpokenFacts): number {
  const totals = facts.shown.totals.map(BigInt);
  const first = Math.max(0, begins(facts));
  return totals.reduce((best, total, index) => (total > (totals[best] ?? 0n) ? index : best), first);
}
const endsAt = (facts: SpokenFacts): string => (facts.time.live ? "now" : `at ${clockAt(facts, ends(facts))}`);

/** The way of the chart, in the order of time. */
const WAY_CLAIMS: readonly PageClaim<SpokenFacts>[] = [
  {
    name: "not known",
    holds: ({ unknown }) => unknown > 0,
    words: (facts) => `not known before ${knownFrom(facts)}`,
  },
  {
    name: "nothing at first",
    holds: (facts) => begins(facts) > facts.unknown,
    words: (facts) => `nothing until ${clockAt(facts, begins(facts))}`,
  },
  {
    name: "the most",
    holds: (facts) => highest(facts) < ends(facts) && begins(facts) >= 0,
    words: (facts) => `${amountAt(facts.shown, highest(facts))} at ${clockAt(facts, highest(facts))}, the most`,
  },
  {
    name: "nothing at its end",
    holds: (facts) => facts.shown.counts[ends(facts)] === 0,
    words: (facts) => `nothing ${endsAt(facts)}`,
  },
  {
    name: "its end",
    holds: (facts) => facts.shown.counts[ends(facts)] !== 0,
    words: (facts) => `${amountAt(facts.shown, ends(facts))} ${endsAt(facts)}`,
  },
];

/** The chart for whoever does not see it. */
const SPOKEN_CLAIMS: readonly PageClaim<SpokenFacts>[] = [
  {
    name: "spoken",
    holds: (facts) => facts.points.length > 0,
    words: (facts) => `Money in doubt: ${claimWords(WAY_CLAIMS, facts).join(", ")}. Times in UTC.`,
  },
];

/** "Money in doubt: nothing until 14:02, €48,191.22 at 14:09, €43,818.11 now." @param shown what is drawn */
export function spokenChart(facts: RiskFacts, shown: RiskSeries): string {
  return claimWords(SPOKEN_CLAIMS, { ...facts, shown }).join("");
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
