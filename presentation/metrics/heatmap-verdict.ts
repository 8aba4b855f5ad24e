import { BIN_LIMITS_MS } from "@/domain/metrics/bins";
import { writtenTime } from "@/domain/written-time";
import { claimWords, firstWords, holding, type PageClaim } from "@/domain/page-claim";
import type { HeatCompare, HeatMeasure, HeatRange } from "@/domain/metrics/heatmap";
import { formatClock, formatCount } from "../format/display-time";
import { plural } from "../format/words";
import type { HeatFacts, HeatmapView, HeatSelection } from "../views/heatmap";

/** What is counted, in words. `note` says what it is and what it does not do. */
export const HEAT_WORDS: Readonly<
  Record<HeatMeasure, { readonly label: string; readonly one: string; readonly many: string; readonly note: string }>
> = {
  replayed: {
    label: "Replays",
    one: "replay",
    many: "replays",
    note: "A replay is an earlier command answered again: it makes no second charge.",
  },
  conflict: {
    label: "Conflicts",
    one: "conflict",
    many: "conflicts",
    note: "A conflict is another command, or another client, under a used key: it is refused and charges nothing.",
  },
  reused: {
    label: "Reuse too fast",
    one: "reuse too fast",
    many: "reuses too fast",
    note: "Too fast is less than 100 ms after the request before of the same client and key. It makes no second charge.",
  },
};
export const HEAT_RANGE_WORDS: Readonly<Record<HeatRange, string>> = {
  "1h": "one hour",
  "6h": "six hours",
  "24h": "24 hours",
  "7d": "seven days",
};
export const HEAT_COMPARE_WORDS: Readonly<Record<HeatCompare, string>> = {
  nothing: "nothing",
  yesterday: "yesterday",
  "last-week": "last week",
};

/** Smaller changes are no change worth a sentence. */
const SAME_SHARE = 0.05;
/** A column is named where it has so much of the increase, and no fewer than these. */
const PEAK_SHARE = 0.5;
const PEAK_LEAST = 30;

/** A per cent of fewer than these says nothing: both numbers are said instead. */
const PERCENT_LEAST = 30;

const HOUR_RANGES: readonly HeatRange[] = ["1h", "6h"];
const counted = ({ total, measure, range }: HeatFacts): string =>
  `${plural(total, HEAT_WORDS[measure].one, HEAT_WORDS[measure].many)} in ${HEAT_RANGE_WORDS[range]}`;
const than = ({ compare }: HeatFacts): string => HEAT_COMPARE_WORDS[compare];
const isCounted = ({ known, total }: HeatFacts): boolean => known > 0 && total > 0;
const isCompared = (facts: HeatFacts): boolean =>
  isCounted(facts) && facts.compare !== "nothing" && facts.compared !== undefined;
const change = ({ total, compared = 0 }: HeatFacts): number => total - compared;
const isSame = (facts: HeatFacts): boolean => Math.abs(change(facts)) < (facts.compared ?? 0) * SAME_SHARE;

/** @returns a change in whole per cent, unsigned, as little as that may be */
function percent(total: number, compared: number): string {
  return `${formatCount(Math.round((Math.abs(total - compared) / compared) * 100))} %`;
}

/** How many there were, and beside what: exactly one of these is said. */
const COUNT_CLAIMS: readonly PageClaim<HeatFacts>[] = [
  {
    name: "no data",
    holds: ({ known }) => known === 0,
    words: ({ range }) => `No data for these ${HEAT_RANGE_WORDS[range]}.`,
  },
  {
    name: "none",
    holds: ({ total }) => total === 0,
    words: (facts) => `No ${HEAT_WORDS[facts.measure].one} in ${HEAT_RANGE_WORDS[facts.range]}.`,
  },
  {
    name: "none in the compared time",
    holds: (facts) => isCompared(facts) && facts.compared === 0,
    words: (facts) => `${counted(facts)}, none ${than(facts)}.`,
  },
  {
    name: "as many",
    holds: (facts) => isCompared(facts) && isSame(facts),
    words: (facts) => `${counted(facts)}, about as many as ${than(facts)}.`,
  },
  {
    name: "beside few",
    holds: (facts) => isCompared(facts) && (facts.compared ?? 0) < PERCENT_LEAST,
    words: (facts) => `${counted(facts)}, ${formatCount(facts.compared ?? 0)} ${than(facts)}.`,
  },
  {
    name: "more",
    holds: (facts) => isCompared(facts) && change(facts) > 0,
    words: (facts) => `${counted(facts)}, ${percent(facts.total, facts.compared ?? 0)} more than ${than(facts)}.`,
  },
  {
    name: "fewer",
    holds: (facts) => isCompared(facts) && change(facts) < 0,
    words: (facts) => `${counted(facts)}, ${percent(facts.total, facts.compared ?? 0)} fewer than ${than(facts)}.`,
  },
  { name: "count", holds: () => true, words: (facts) => `${counted(facts)}.` },
];

/** What else the headline may say. */
const MORE_CLAIMS: readonly PageClaim<HeatFacts>[] = [
  {
    name: "most of the increase",
    holds: (facts) =>
      isCompared(facts) &&
      !isSame(facts) &&
      (facts.compared ?? 0) > 0 &&
      facts.peak !== undefined &&
      facts.peak.more >= PEAK_LEAST &&
      facts.peak.more >= change(facts) * PEAK_SHARE &&
      facts.peak.more <= change(facts),
    words: (facts) =>
      `${formatCount(facts.peak?.more ?? 0)} of the ${formatCount(change(facts))} more came at ${cellTime(facts.peak?.from ?? "", facts.range)}.`,
  },
  {
    name: "gaps",
    holds: ({ known, whole, columns }) => known > 0 && whole < columns,
    words: ({ whole, columns }) =>
      `No data, or not all of it, for ${formatCount(columns - whole)} of ${plural(columns, "cell")}.`,
  },
];

/** Below the headline. */
const LEDE_CLAIMS: readonly PageClaim<HeatFacts>[] = [
  { name: "what it is", holds: () => true, words: ({ measure }) => HEAT_WORDS[measure].note },
  {
    name: "first client",
    holds: (facts) => isCounted(facts) && facts.clients > 1 && facts.first !== undefined,
    words: ({ first }) => `Most from ${first?.client ?? ""}: ${formatCount(first?.total ?? 0)}.`,
  },
  {
    name: "not compared",
    holds: (facts) =>
      isCounted(facts) &&
      facts.compare !== "nothing" &&
      facts.compared === undefined &&
      facts.comparable < facts.columns,
    words: (facts) =>
      facts.comparable === 0
        ? `No data to compare with for ${than(facts)}.`
        : `Not compared with ${than(facts)} as a whole: only ${formatCount(facts.comparable)} of ${plural(facts.columns, "cell")} have data in both.`,
  },
];

export interface HeatWords {
  readonly headline: readonly string[];
  readonly lede: string;
}

export function heatmapWords(facts: HeatFacts): HeatWords {
  return {
    headline: [firstWords(COUNT_CLAIMS, facts), ...claimWords(MORE_CLAIMS, facts)],
    lede: holding(LEDE_CLAIMS, facts)
      .map((claim) => claim.words(facts))
      .join(" "),
  };
}

type FindFacts = Pick<HeatmapView, "find" | "found" | "clients">;

/** Of the clients that are looked for by name: exactly one of these holds. */
const FIND_CLAIMS: readonly PageClaim<FindFacts>[] = [
  {
    name: "none found",
    holds: ({ found }) => found === 0,
    words: ({ find = "", clients }) => `None of ${plural(clients, "client")} has “${shortFind(find)}” in its name.`,
  },
  {
    name: "found",
    holds: () => true,
    words: ({ find = "", found, clients }) =>
      `${formatCount(found)} of ${plural(clients, "client")} ${found === 1 ? "has" : "have"} “${shortFind(find)}” in the name.`,
  },
];
const FIND_SHOWN = 40;
const shortFind = (find: string): string => (find.length > FIND_SHOWN ? `${find.slice(0, FIND_SHOWN - 1)}…` : find);

export function findWords(facts: FindFacts): string {
  return firstWords(FIND_CLAIMS, facts);
}

/** "+45 %", "same", "from 2"; empty where nothing is compared. */
export function changeWords(total: number, compared: number | undefined): string {
  if (compared === undefined) return "";
  if (compared < PERCENT_LEAST) return total === compared ? "same" : `from ${formatCount(compared)}`;
  if (Math.abs(total - compared) < compared * SAME_SHARE) return "same";
  return `${total > compared ? "+" : "−"}${percent(total, compared)}`;
}

/** When a cell began, in UTC: a clock within a day, else with its day. */
export function cellTime(from: string, range: HeatRange): string {
  return HOUR_RANGES.includes(range) ? `${formatClock(from, "utc").slice(0, 5)} UTC` : writtenTime(from);
}

/** Retries of which a share is taken at the least. */
const FEW_RETRIES = 10;
/** Bins of retries that came within this time, ms. */
const SOON_MS = 2_000;

interface RetryFacts {
  /** Retries that came within two seconds of the request before, and all. */
  readonly soon: number;
  readonly all: number;
  readonly windowSoon: number;
  readonly windowAll: number;
}

/** How soon retries of the open cell came. It compares, and names no cause. */
const PACE_CLAIMS: readonly PageClaim<RetryFacts>[] = [
  {
    name: "soon in the cell",
    holds: ({ all }) => all >= FEW_RETRIES,
    words: ({ soon, all }) =>
      `${formatCount(Math.round((soon / all) * 100))} % of the client's retries in this cell came within 2 s of the request before.`,
  },
  {
    name: "soon in the whole time",
    holds: ({ all, windowAll }) => all >= FEW_RETRIES && windowAll > all,
    words: ({ windowSoon, windowAll }) =>
      `In the whole time it is ${formatCount(Math.round((windowSoon / windowAll) * 100))} %.`,
  },
];

export function selectionWords({ retries }: Pick<HeatSelection, "retries">): readonly string[] {
  if (retries === undefined) return [];
  const within = BIN_LIMITS_MS.retry_delay.indexOf(SOON_MS) + 1;
  const sum = (bins: readonly number[]): number => bins.reduce((all, count) => all + count, 0);
  return claimWords(PACE_CLAIMS, {
    soon: sum(retries.cell.slice(0, within)),
    all: sum(retries.cell),
    windowSoon: sum(retries.window.slice(0, within)),
    windowAll: sum(retries.window),
  });
}
