import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { consolePage } from "@/app/_server/show-page";
import { firstConflict } from "@/components/conflicts/conflict-words";
import { ConflictsView } from "@/components/conflicts/conflicts-view";
import { ListProblem } from "@/components/feedback/list-problem";
import { NarrowerTime } from "@/components/feedback/narrower-time";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { readConflict } from "@/console/read/operations/read-conflict";
import { conflictSearch, parseConflictFilters } from "@/presentation/filters/parsers";
import { windowHours } from "@/domain/lists/window";
import { lookedHours, narrowerRange } from "@/presentation/list/list-answers";
import { filterSearch, pageParam } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Conflicts" };

export default consolePage({
  title: "Conflicts",
  what: "The list of conflicts",
  path: "/conflicts",
  parse: parseConflictFilters,
  problem: (address) =>
    function ConflictsProblem(props) {
      const { filters } = parseConflictFilters(filterSearch(address));
      const hours = lookedHours(filters, windowHours(filters));
      return (
        <ListProblem
          {...props}
          looked="the conflicts of this time"
          narrower={narrowerRange(hours) === "24h" && <NarrowerTime address={address} hours={hours} />}
        />
      );
    },
  read: async (ctx, { filters, address }) => {
    const [view, facts] = await Promise.all([listConflicts(ctx, filters), listFacts(ctx, "conflicts")]);
    const asked = pageParam(address, "open") ?? firstConflict(view, filters);
    return { view, facts, opened: await opened(ctx, asked, (eventId) => readConflict(ctx, { eventId })) };
  },
  follow: ({ view: { at, total } }, { filters }) => {
    // Without filters it is what the navigation counts.
    const whole = conflictSearch({ ...filters, conflict: undefined }) === "";
    return {
      page: `conflicts${conflictSearch(filters)}`,
      since: at,
      refresh: "ask",
      counts: whole ? { conflicts: total } : undefined,
    };
  },
  show: (read, { filters, problems, address }) => <ConflictsView {...read} {...{ filters, problems, address }} />,
});
