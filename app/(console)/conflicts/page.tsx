import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { consolePage } from "@/app/_server/show-page";
import { firstConflict } from "@/components/conflicts/conflict-words";
import { ConflictsView } from "@/components/conflicts/conflicts-view";
import { ListProblem } from "@/components/feedback/list-problem";
import { ButtonLink } from "@/components/ui/button";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { readConflict } from "@/console/read/operations/read-conflict";
import { conflictSearch, parseConflictFilters } from "@/presentation/filters/parsers";
import { filterHref, pageParam } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Conflicts" };

export default consolePage({
  title: "Conflicts",
  what: "The list of conflicts",
  path: "/conflicts",
  parse: parseConflictFilters,
  problem: (address) =>
    function ConflictsProblem(props) {
      return (
        <ListProblem
          {...props}
          looked="the conflicts of this time"
          narrower={
            <ButtonLink small href={filterHref(address, { range: undefined, from: undefined, to: undefined })}>
              Use 24 hours
            </ButtonLink>
          }
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
