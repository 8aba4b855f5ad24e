import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import { formatCount } from "../format/display-time";
import { plural } from "../format/words";

/** A read that was stopped after its time limit. */
interface StoppedFacts {
  readonly seconds: number;
  /** A search is called so. */
  readonly search?: boolean;
  /** Over how much time it looked; "all" that is kept. */
  readonly hours?: number | "all" | undefined;
}
const HOURS_A_DAY = 24;
/** Undefined: from a time on that somebody chose. */
export type LookedHours = StoppedFacts["hours"];

/** @returns a range that is shorter than what was looked at; undefined where none is known to be */
export function narrowerRange(hours: LookedHours): "24h" | "1h" | undefined {
  if (hours === "all" || (hours ?? 0) > HOURS_A_DAY) return "24h";
  return hours === undefined || hours <= 1 ? undefined : "1h";
}

/** What to do instead, where a list has a filter by time. How fast that answers, nobody knows before. */
const NARROWER_CLAIMS: readonly PageClaim<Pick<StoppedFacts, "hours">>[] = [
  {
    name: "longer than a day",
    holds: ({ hours }) => narrowerRange(hours) === "24h",
    words: () => "The last 24 hours are less to look at; your other filters stay.",
  },
  {
    name: "longer than an hour",
    holds: ({ hours }) => narrowerRange(hours) === "1h",
    words: () => "The last hour is less to look at; your other filters stay.",
  },
  { name: "an hour, or from a time on", holds: () => true, words: () => "A shorter time is less to look at." },
];

/** @param hours over which it looked; "all" that is kept; undefined: from a time on that somebody chose */
export function narrowerWords(hours: LookedHours): string {
  return firstWords(NARROWER_CLAIMS, { hours });
}

/** Over how much time a list looked whose filters have a window. @param covered hours of its range */
export function lookedHours(
  { from }: { readonly from?: string | undefined },
  covered: number | undefined,
): LookedHours {
  return from === undefined ? (covered ?? "all") : undefined;
}

/** "24 h", "7 days", "60 h". */
function span(hours: number | "all"): string {
  if (hours === "all") return "all that is kept";
  const days = hours / HOURS_A_DAY;
  return days >= 2 && Number.isInteger(days) ? `${formatCount(days)} days` : `${formatCount(hours)} h`;
}

/** What a list says that could not be read in time. */
const STOPPED_CLAIMS: readonly PageClaim<StoppedFacts>[] = [
  {
    name: "looked and stopped",
    holds: ({ hours }) => hours !== undefined,
    words: ({ hours = "all", seconds }) => `It looked at ${span(hours)} and stopped after ${String(seconds)} s.`,
  },
  {
    name: "search stopped",
    holds: ({ search }) => search === true,
    words: ({ seconds }) => `The search stopped after ${String(seconds)} s.`,
  },
  { name: "stopped", holds: () => true, words: ({ seconds }) => `It stopped after ${String(seconds)} s.` },
];

/** @param next what to do instead */
export function stoppedWords(facts: StoppedFacts, next?: string): string {
  return [firstWords(STOPPED_CLAIMS, facts), next].filter((text) => text !== undefined).join(" ");
}

/** A list without rows. */
interface EmptyFacts {
  /** Filters that narrow it. */
  readonly filters: number;
  /** "24 hours"; of a list that is not narrowed in time: absent. */
  readonly time?: string;
}
const these = ({ filters }: EmptyFacts): string => (filters === 1 ? "this filter" : `these ${String(filters)} filters`);

/** What a list of conflicts says that has none. */
const NO_CONFLICT: readonly PageClaim<EmptyFacts>[] = [
  {
    name: "no match",
    holds: ({ filters }) => filters > 0,
    words: ({ filters, time = "" }) =>
      `No conflict matches ${filters === 1 ? "this filter" : "these filters"} in ${time}.`,
  },
  { name: "none", holds: () => true, words: ({ time = "" }) => `No key was used for two commands in ${time}.` },
];

export function noConflict(facts: EmptyFacts): string {
  return firstWords(NO_CONFLICT, facts);
}

/** What a list of operations says that has none. */
const NO_OPERATION: readonly PageClaim<EmptyFacts>[] = [
  { name: "none", holds: ({ filters }) => filters === 0, words: () => "No operation in this time." },
  { name: "no match", holds: () => true, words: (facts) => `No operation matches ${these(facts)}.` },
];

export function noOperation(facts: EmptyFacts): string {
  return firstWords(NO_OPERATION, facts);
}

/** A search that found nothing. */
interface NotFoundFacts {
  /** As it was written. */
  readonly query: string;
  /** Tenants beside the chosen one: those that were searched, and those that were left out. */
  readonly searched: number;
  readonly left: number;
}
const NAMES = "keys, ids, provider names, references, requests, traces, clients, accounts and amounts";
const WHOLE = "Only whole names match, not parts of them.";
const NOT_FOUND: readonly PageClaim<NotFoundFacts>[] = [
  {
    name: "looked in one tenant",
    holds: ({ searched, left }) => searched + left === 0,
    words: ({ query }) => `Looked for “${query}” among ${NAMES} of this tenant. ${WHOLE}`,
  },
  {
    name: "looked everywhere",
    holds: ({ left }) => left === 0,
    words: ({ query }) => `Looked for “${query}” among ${NAMES} of every tenant that you may see. ${WHOLE}`,
  },
  {
    name: "looked in some tenants",
    holds: () => true,
    words: ({ query, searched }) =>
      `Looked for “${query}” among ${NAMES} of this tenant and ${formatCount(searched)} others, not of all. ${WHOLE}`,
  },
];

export function notFound(facts: NotFoundFacts): string {
  return firstWords(NOT_FOUND, facts);
}

/** Payments that a search looked at; none: it looked at all. */
interface LookedFacts {
  readonly lookedAt?: number | undefined;
}
const LOOKED_CLAIMS: readonly PageClaim<LookedFacts>[] = [
  {
    name: "the newest only",
    holds: ({ lookedAt }) => lookedAt !== undefined,
    words: ({ lookedAt = 0 }) =>
      `Only the newest ${formatCount(lookedAt)} payments were looked at: name a day to look at older ones.`,
  },
];

/** @returns undefined where nothing was left out */
export function lookedWords(facts: LookedFacts): string | undefined {
  return claimWords(LOOKED_CLAIMS, facts)[0];
}

/** More rows match than are counted. */
interface TooManyFacts {
  readonly count: number;
  /** Rows of one plan. */
  readonly most: number;
}
const TOO_MANY_TITLE: readonly PageClaim<TooManyFacts>[] = [
  { name: "more match", holds: () => true, words: ({ count }) => `More than ${formatCount(count)} messages match.` },
];
const TOO_MANY_TEXT: readonly PageClaim<TooManyFacts>[] = [
  {
    name: "the newest only",
    holds: () => true,
    words: ({ count, most }) =>
      `Only the newest ${formatCount(count)} are grouped and counted here, and one plan holds ${formatCount(most)}. Choose one place, one cause or a shorter time.`,
  },
];

/** @returns what stands in the place of a plan of all of them */
export function tooManyWords(facts: TooManyFacts) {
  return { title: firstWords(TOO_MANY_TITLE, facts), text: firstWords(TOO_MANY_TEXT, facts) };
}

/** How far a walk along the audit chain has come; none: it has just begun. */
type WalkFacts = { readonly checkedTo: string; readonly head: string } | undefined;
const WALK_CLAIMS: readonly PageClaim<WalkFacts>[] = [
  { name: "begun", holds: (last) => last === undefined, words: () => "Checking the chain." },
  {
    name: "so far",
    holds: () => true,
    words: (last) => `${formatCount(Number(last?.checkedTo ?? 0))} of ${formatCount(Number(last?.head ?? 0))} entries.`,
  },
];

export function walkWords(last: WalkFacts): string {
  return firstWords(WALK_CLAIMS, last);
}

/** @param hours over which data was looked at */
const CHECKLIST_LEDE: readonly PageClaim<number>[] = [
  {
    name: "looked at",
    holds: () => true,
    words: (hours) =>
      `Checked against the routes that are served, the policies of this tenant, and the newest of its data of the last ${plural(hours, "hour")}. Reads only.`,
  },
];

export function checklistLede(hours: number): string {
  return firstWords(CHECKLIST_LEDE, hours);
}
