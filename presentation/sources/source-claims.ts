import { claimWords, firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { plural } from "../format/words";
import type { VerdictClause } from "../views/common";
import type {
  SourceAct,
  SourceActName,
  SourceColumn,
  SourceGauge,
  SourceHits,
  SourceListView,
  SourceRowView,
  SourceView,
  SourceViewName,
} from "../views/sources";
import { COLUMN_KINDS, EXPIRY, SOURCE_PAGES, sourceState } from "./source-words";

interface Toned<Facts> extends PageClaim<Facts> {
  readonly tone: VerdictClause["tone"];
}

const rowsOf = ({ page }: SourceListView): readonly SourceRowView[] => (page.kind === "rows" ? page.rows : []);
const isShown = ({ page }: SourceListView): boolean => page.kind === "rows";
const hasNewer = ({ page }: SourceListView): boolean => page.kind === "rows" && page.previous !== undefined;
const hasOlder = ({ page }: SourceListView): boolean => page.kind === "rows" && page.next !== undefined;
const inState = (list: SourceListView, state: string): number =>
  rowsOf(list).filter((row) => row.state === state).length;
const pageName = ({ view }: Pick<SourceListView, "view">): string => SOURCE_PAGES[view].label.toLowerCase();
const count = (list: SourceListView): string => plural(rowsOf(list).length, SOURCE_PAGES[list.view].row);
const stateWord = ({ view, state = "" }: SourceListView): string => sourceState(view, state).word.toLowerCase();
const isFirst = (list: SourceListView): boolean => isShown(list) && !hasNewer(list);
const are = (number: number): string => (number === 1 ? "is" : "are");

/** What a list of an attachment opens with: of the rows that were read, and of no others. */
const LIST_CLAIMS: readonly Toned<SourceListView>[] = [
  {
    name: "not shown",
    tone: "doubt",
    holds: (list) => !isShown(list),
    words: (list) => `The list ${pageName(list)} of ${list.source.name} is not shown.`,
  },
  {
    name: "empty",
    tone: "fine",
    holds: (list) => isFirst(list) && rowsOf(list).length === 0 && list.state === undefined,
    words: (list) => `The list ${pageName(list)} of ${list.source.name} has no row.`,
  },
  {
    name: "none in the state",
    tone: "fine",
    holds: (list) => isFirst(list) && rowsOf(list).length === 0 && list.state !== undefined,
    words: (list) => `No row of ${list.source.name} has the state “${stateWord(list)}” here.`,
  },
  {
    name: "all",
    tone: "fine",
    holds: (list) => isFirst(list) && rowsOf(list).length > 0 && !hasOlder(list),
    words: (list) => `${count(list)} in all${list.state === undefined ? "" : `, of the state “${stateWord(list)}”`}.`,
  },
  {
    name: "newest",
    tone: "fine",
    holds: (list) => isFirst(list) && rowsOf(list).length > 0 && hasOlder(list),
    words: (list) =>
      `The newest ${count(list)}${list.state === undefined ? "" : ` of the state “${stateWord(list)}”`}.`,
  },
  {
    name: "further down",
    tone: "fine",
    holds: (list) => hasNewer(list) && rowsOf(list).length > 0,
    words: (list) => `${count(list)} from further down the list.`,
  },
  {
    name: "none further down",
    tone: "fine",
    holds: (list) => hasNewer(list) && rowsOf(list).length === 0,
    words: () => "Nothing is further down the list.",
  },
  {
    name: "dead",
    tone: "broken",
    holds: (list) => list.view !== "dead" && list.state === undefined && inState(list, "dead") > 0,
    words: (list) => `${String(inState(list, "dead"))} of them ${are(inState(list, "dead"))} dead.`,
  },
  {
    name: "retrying",
    tone: "doubt",
    holds: (list) => list.state === undefined && inState(list, "retrying") > 0,
    words: (list) =>
      `${String(inState(list, "retrying"))} failed before and ${are(inState(list, "retrying"))} retried.`,
  },
  {
    name: "not known",
    tone: "doubt",
    holds: (list) => inState(list, "unknown") > 0,
    words: (list) =>
      `${String(inState(list, "unknown"))} ${are(inState(list, "unknown"))} in a state that the preset does not know.`,
  },
];

const clauses = <Facts>(claims: readonly Toned<Facts>[], facts: Facts): readonly VerdictClause[] =>
  holding(claims, facts).map(({ words, tone }) => ({ text: words(facts), tone }));

export const sourceListVerdict = (list: SourceListView): readonly VerdictClause[] => clauses(LIST_CLAIMS, list);

/** What a list cannot say, whatever its rows are. */
const LEDE_CLAIMS: readonly PageClaim<Pick<SourceListView, "view" | "source">>[] = [
  {
    name: "keys",
    holds: ({ view }) => view === "keys",
    words: ({ source }) =>
      `Rows of ${source.title}, as its tables have them. These tables do not keep refused commands or replays: conflicts and answers that were given again are not shown here. The middleware keeps both (docs/ONCE.md).`,
  },
  {
    name: "messages",
    holds: ({ view }) => view !== "keys",
    words: ({ source }) =>
      `Rows of ${source.title}, as its tables have them. Whether a receiver had a message more than once is not known here. Bodies are not shown.`,
  },
];

export const sourceLede = (list: Pick<SourceListView, "view" | "source">): string => firstWords(LEDE_CLAIMS, list);

const latest = ({ gauges }: SourceView, state: string): readonly NonNullable<SourceGauge["last"]>[] =>
  gauges.flatMap((gauge) => (gauge.state === state && gauge.last !== undefined ? [gauge.last] : []));
/** A dead message is in the list of the dead and may be in its own list too. */
const deadIn = (view: SourceView, name: SourceViewName): number =>
  view.gauges.find((gauge) => gauge.view === name && gauge.state === "dead")?.last?.value ?? 0;
const deadNow = (view: SourceView): number =>
  Math.max(deadIn(view, "dead"), deadIn(view, "outgoing") + deadIn(view, "incoming"));
const counted = ({ gauges }: SourceView): boolean => gauges.some(({ last }) => last !== undefined);

/** What the overview of an attachment opens with. */
const SOURCE_CLAIMS: readonly Toned<SourceView>[] = [
  {
    name: "nothing counted yet",
    tone: "fine",
    holds: (view) => !counted(view) && view.notCounted.length < view.lists.length,
    words: ({ source }) => `Nothing of ${source.name} was counted yet.`,
  },
  {
    name: "dead",
    tone: "broken",
    holds: (view) => deadNow(view) > 0,
    words: (view) => `${plural(deadNow(view), "row")} ${are(deadNow(view))} dead, when last counted.`,
  },
  {
    name: "none dead",
    tone: "fine",
    holds: (view) => latest(view, "dead").length > 0 && deadNow(view) === 0,
    words: () => "No row was dead when last counted.",
  },
  {
    name: "counted without dead",
    tone: "fine",
    holds: (view) => counted(view) && latest(view, "dead").length === 0,
    words: ({ source }) => `The rows of ${source.name} are counted by state.`,
  },
  {
    name: "not counted",
    tone: "doubt",
    holds: ({ notCounted }) => notCounted.length > 0,
    words: ({ notCounted }) => `${plural(notCounted.length, "list")} ${are(notCounted.length)} too long to be counted.`,
  },
];

export const sourceVerdict = (view: SourceView): readonly VerdictClause[] => clauses(SOURCE_CLAIMS, view);

const expiryOf = (view: SourceView, name: SourceViewName): SourceColumn | undefined =>
  view.lists.find((list) => list.view === name)?.columns.find((column) => column.name === EXPIRY[name]);
const expiring = (view: SourceView): number =>
  view.lists.filter((list) => (expiryOf(view, list.view)?.kind ?? "not_stored") !== "not_stored").length;

/** What the page of retention opens with. */
const RETENTION_CLAIMS: readonly Toned<SourceView>[] = [
  {
    name: "none",
    tone: "fine",
    holds: (view) => expiring(view) === 0,
    words: ({ source }) => `${source.title} does not store when rows may be deleted.`,
  },
  {
    name: "some",
    tone: "fine",
    holds: (view) => expiring(view) > 0,
    words: (view) =>
      `${String(expiring(view))} of ${plural(view.lists.length, "list")} ${expiring(view) === 1 ? "says" : "say"} when rows may be deleted.`,
  },
];

export const sourceRetentionVerdict = (view: SourceView): readonly VerdictClause[] => clauses(RETENTION_CLAIMS, view);

/** @returns the expiry of a list in words, with its rule or the reason why there is none */
export function expiryWords(view: SourceView, name: SourceViewName): { readonly kind: string; readonly says: string } {
  const column = expiryOf(view, name);
  if (column === undefined) return { kind: COLUMN_KINDS.not_stored, says: "" };
  return { kind: COLUMN_KINDS[column.kind], says: column.says ?? "" };
}

interface HitFacts extends SourceHits {
  readonly query: string;
}

/** What a search of attached databases found, and what it did not ask. */
const FOUND_CLAIMS: readonly PageClaim<HitFacts>[] = [
  {
    name: "nothing",
    holds: ({ hits, left }) => hits.length === 0 && left.length === 0,
    words: ({ asked, query }) =>
      `No row of ${plural(asked, "attached database")} has exactly the id or key “${query}”.`,
  },
  {
    name: "nothing where asked",
    holds: ({ hits, left }) => hits.length === 0 && left.length > 0,
    words: ({ query }) => `No row has exactly the id or key “${query}” where it could be asked.`,
  },
  {
    name: "left",
    holds: ({ left }) => left.length > 0,
    words: ({ left }) => `${plural(left.length, "column or database", "columns or databases")} could not be asked.`,
  },
];

export const sourceFoundWords = (facts: HitFacts): readonly string[] => claimWords(FOUND_CLAIMS, facts);

interface ActFacts {
  readonly act: SourceActName;
  readonly of: SourceAct;
  readonly source: string;
}

/** What a guarded function does, as its dialog says. */
const ACT_EFFECTS: readonly PageClaim<ActFacts>[] = [
  {
    name: "purge",
    holds: ({ act }) => act === "purge",
    words: ({ source }) =>
      `The installed function purge of ${source} deletes rows that are finished and older than the time given, at most as many as given.`,
  },
  {
    name: "one row",
    holds: ({ act }) => act !== "purge",
    words: ({ act, source }) =>
      `The installed function ${act} of ${source} is called for this row. Where the row is not in a state in which that is safe, it changes nothing.`,
  },
];

export const actEffect = (facts: ActFacts): string => firstWords(ACT_EFFECTS, facts);

/** What it does not do. */
const ACT_LIMITS: readonly PageClaim<ActFacts>[] = [
  {
    name: "requeue",
    holds: ({ act }) => act === "requeue",
    words: () => "Whether the message was sent before is not known here: it may be sent a second time.",
  },
  { name: "discard", holds: ({ act }) => act === "discard", words: () => "It is not sent. No other row is changed." },
  { name: "purge", holds: ({ act }) => act === "purge", words: () => "What is deleted cannot be brought back." },
  { name: "caveat", holds: ({ of }) => of.offered && of.says !== undefined, words: ({ of }) => of.says ?? "" },
];

export const actLimits = (facts: ActFacts): string => claimWords(ACT_LIMITS, facts).join(" ");
