import { isPlain } from "@/domain/plain-text";
import { choice, standard } from "@/domain/lists/filters";
import { SOURCE_STATES } from "../sources/source-words";
import { CHART_RANGES } from "../views/common";
import { SOURCE_VIEWS, type SourceViewName } from "../views/sources";
import { parserOf, type FilterParser } from "./search";

interface SourceFilters {
  readonly state?: string | undefined;
}

/** The filters of a list of an attachment. Its cursor may be longer than a filter: a key of somebody else's is in it. */
function parserOfStates(states: readonly string[]): FilterParser<SourceFilters> {
  const parse = parserOf({ state: choice(states) });
  return Object.assign(
    (search: Parameters<typeof parse>[0]) => {
      const { cursor: given, ...filters } = search;
      const cursor = typeof given === "string" ? given : given?.[0];
      // What no cursor can have is refused as in any other list.
      const isUnseen = cursor !== undefined && !isPlain(cursor);
      return { ...parse(isUnseen ? { ...filters, cursor } : filters), cursor };
    },
    { filters: parse.filters },
  );
}

const PARSERS: Readonly<Record<SourceViewName, FilterParser<SourceFilters>>> = {
  keys: parserOfStates(SOURCE_STATES.keys),
  outgoing: parserOfStates(SOURCE_STATES.outgoing),
  incoming: parserOfStates(SOURCE_STATES.incoming),
  dead: parserOfStates(SOURCE_STATES.dead),
};

export const parseSourceFilters = (view: SourceViewName): FilterParser<SourceFilters> => PARSERS[view];

/** Of any list: states of another one match nothing. */
export const parseAnySourceFilters = parserOfStates([...new Set(SOURCE_VIEWS.flatMap((view) => SOURCE_STATES[view]))]);

export const parseSourceRange = parserOf({ range: standard("24h", CHART_RANGES) });
