import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import type { HeatRange } from "@/domain/metrics/heatmap";
import { formatCount, formatDuration } from "../format/display-time";
import { plural } from "../format/words";
import type { HeatmapView, HeatSelection } from "../views/heatmap";
import { HEAT_COMPARE_WORDS, HEAT_RANGE_WORDS, HEAT_WORDS } from "./heatmap-verdict";

type CellFacts = Pick<HeatmapView, "measure" | "compare"> & Pick<HeatSelection, "counted" | "compared" | "found">;

/** What stands under the count of an open cell. */
const CELL_CLAIMS: readonly PageClaim<CellFacts>[] = [
  {
    name: "operations",
    holds: ({ found }) => found !== undefined && found.answers > 0,
    words: ({ found }) => `On ${plural(found?.operations ?? 0, "operation")}.`,
  },
  {
    name: "purged",
    holds: ({ found }) => found !== undefined && found.purged > 0,
    words: ({ found, measure }) =>
      `${plural(found?.purged ?? 0, HEAT_WORDS[measure].one, HEAT_WORDS[measure].many)} on purged operations, which no list has.`,
  },
  {
    name: "compared",
    holds: ({ compared }) => compared !== undefined,
    words: ({ compare, compared = 0 }) => {
      const when = HEAT_COMPARE_WORDS[compare];
      return `${when.charAt(0).toUpperCase()}${when.slice(1)}: ${formatCount(compared)}.`;
    },
  },
  {
    name: "rolled up otherwise",
    holds: ({ found, counted }) => found !== undefined && typeof counted === "number" && counted !== found.answers,
    words: ({ counted }) => `Rolled up: ${formatCount(counted ?? 0)}.`,
  },
];

export function cellWords(facts: CellFacts): string {
  return claimWords(CELL_CLAIMS, facts).join(" ");
}

/** A map without rows. */
interface EmptyMap {
  readonly range: HeatRange;
  readonly rolledUpMs?: number | undefined;
}
const EMPTY_CLAIMS: readonly PageClaim<EmptyMap>[] = [
  {
    name: "nothing rolled up",
    holds: ({ rolledUpMs }) => rolledUpMs === undefined,
    words: () => "No minute has been rolled up. The worker does that once a minute.",
  },
  {
    name: "nothing here",
    holds: () => true,
    words: ({ range }) => `Other times or counts may have some: choose above. This shows ${HEAT_RANGE_WORDS[range]}.`,
  },
];

export function emptyMapWords(facts: EmptyMap): string {
  return firstWords(EMPTY_CLAIMS, facts);
}

/** The part of a chart that a page is about; none: all of it. */
type WindowFacts = { readonly from: string; readonly to: string } | undefined;
const lasts = (window: WindowFacts): number =>
  window === undefined ? 0 : Date.parse(window.to) - Date.parse(window.from);
const WINDOW_CLAIMS: readonly PageClaim<WindowFacts>[] = [
  {
    name: "all of it",
    holds: (window) => window === undefined,
    words: () => "What changed and what is in doubt below is about all of it.",
  },
  {
    name: "a window",
    holds: () => true,
    words: (window) =>
      `${formatDuration(lasts(window))}. What changed and what is in doubt below is about this window.`,
  },
];

export function windowText(window: WindowFacts): string {
  return firstWords(WINDOW_CLAIMS, window);
}
