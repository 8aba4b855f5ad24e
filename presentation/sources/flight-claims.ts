import { firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { plural, spokenDuration } from "../format/words";
import type { GlyphName, Tone } from "../format/glyph";
import type { VerdictClause } from "../views/common";
import type { SourceFlightList, SourceFlightView, SourceStanding } from "../views/sources";
import { SOURCE_PAGES } from "./source-words";

interface Toned extends PageClaim<SourceFlightView> {
  readonly tone: VerdictClause["tone"];
}

const ALL = ["lock_ended", "old", "held", "young", "no_time"] as const satisfies readonly SourceStanding[];

/** @returns rows of a list in flight, all or of one standing */
export function flying({ page }: SourceFlightList, ...standings: readonly SourceStanding[]): number {
  if (page.kind === "not_shown") return 0;
  return (standings.length === 0 ? ALL : standings).reduce((sum, each) => sum + page.counts[each], 0);
}

const sumOf = ({ lists }: SourceFlightView, ...standings: readonly SourceStanding[]): number =>
  lists.reduce((sum, list) => sum + flying(list, ...standings), 0);
const hidden = ({ lists }: SourceFlightView): readonly SourceFlightList[] =>
  lists.filter(({ page }) => page.kind === "not_shown");
const are = (number: number): string => (number === 1 ? "is" : "are");
const limit = ({ oldAfterMs }: SourceFlightView): string => spokenDuration(oldAfterMs);

/** What the page of rows in flight opens with: of all rows in progress of the lists that were read, and of no others. */
const FLIGHT_CLAIMS: readonly Toned[] = [
  {
    name: "nothing in flight",
    tone: "fine",
    holds: (view) => hidden(view).length === 0 && sumOf(view) === 0,
    words: ({ source }) => `Nothing of ${source.name} is in flight.`,
  },
  {
    name: "in flight",
    tone: "fine",
    holds: (view) => sumOf(view) > 0,
    words: (view) => `${plural(sumOf(view), "row")} ${are(sumOf(view))} in flight.`,
  },
  {
    name: "stale",
    tone: "doubt",
    holds: (view) => sumOf(view, "lock_ended") > 0,
    words: (view) => `${plural(sumOf(view, "lock_ended"), "lock")} ${are(sumOf(view, "lock_ended"))} stale.`,
  },
  {
    name: "no lock stale",
    tone: "fine",
    holds: (view) => sumOf(view) > 0 && sumOf(view) === sumOf(view, "held") && hidden(view).length === 0,
    words: () => "No lock is stale.",
  },
  {
    name: "old",
    tone: "doubt",
    holds: (view) => sumOf(view, "old") > 0,
    words: (view) =>
      `${plural(sumOf(view, "old"), "row")} without an end of a lock ${are(sumOf(view, "old"))} older than ${limit(view)}.`,
  },
  {
    name: "without a time",
    tone: "doubt",
    holds: (view) => sumOf(view, "no_time") > 0,
    words: (view) => `Of ${plural(sumOf(view, "no_time"), "row")} no time is stored.`,
  },
  {
    name: "not shown",
    tone: "doubt",
    holds: (view) => hidden(view).length > 0,
    words: (view) =>
      `What is in flight in ${hidden(view)
        .map((list) => `the list ${SOURCE_PAGES[list.view].label.toLowerCase()}`)
        .join(" and ")} is not shown.`,
  },
];

export const flightVerdict = (view: SourceFlightView): readonly VerdictClause[] =>
  holding(FLIGHT_CLAIMS, view).map(({ words, tone }) => ({ text: words(view), tone }));

/** Whether the tables say of any row when its lock ends. */
const tellsLock = ({ lists }: SourceFlightView): boolean =>
  lists.some(({ columns }) => columns.some(({ name, kind }) => name === "locked_until" && kind !== "not_stored"));

const FLIGHT_LEDE: readonly PageClaim<SourceFlightView>[] = [
  {
    name: "locks",
    holds: tellsLock,
    words: (view) =>
      `Rows that ${view.source.title} has in progress. One is stale once its lock ran out, by the clock of its database; one without an end of a lock is called old after ${limit(view)}. Whether a process still works on it is not known here.`,
  },
  {
    name: "no locks",
    holds: (view) => !tellsLock(view),
    words: (view) =>
      `Rows that ${view.source.title} has in progress. It does not store when a lock ends, so none can be called stale; one is called old after ${limit(view)}. Whether a process still works on it is not known here.`,
  },
];

export const flightLede = (view: SourceFlightView): string => firstWords(FLIGHT_LEDE, view);

/** How the standing of a row is drawn. */
export const STANDINGS: Readonly<
  Record<SourceStanding, { readonly glyph: GlyphName; readonly word: string; readonly tone: Tone }>
> = {
  lock_ended: { glyph: "STALE", word: "Stale lock", tone: "doubt" },
  old: { glyph: "gap", word: "Old, no end of a lock", tone: "doubt" },
  held: { glyph: "IN_PROGRESS", word: "Locked", tone: "moving" },
  young: { glyph: "IN_PROGRESS", word: "In progress, no end of a lock", tone: "moving" },
  no_time: { glyph: "gap", word: "No time stored", tone: "doubt" },
};

/** Columns that tell how a row in flight stands, and who has it. */
export const FLIGHT_COLUMNS = ["created_at", "updated_at", "available_at", "locked_by", "locked_until", "attempts"];
