import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { showPage, type SearchProps } from "@/app/_server/show-page";
import { firstConflict } from "@/components/conflicts/conflict-words";
import { ConflictsView } from "@/components/conflicts/conflicts-view";
import { ListProblem } from "@/components/feedback/list-problem";
import type { PageProblemProps } from "@/components/feedback/page-problem";
import { FollowPage } from "@/components/shell/live-provider";
import { ButtonLink } from "@/components/ui/button";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { readConflict } from "@/console/read/operations/read-conflict";
import { conflictSearch, parseConflictFilters } from "@/presentation/filters/parsers";
import { filterHref, filterSearch, pageParam } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Conflicts" };

export default async function ConflictsPage({ searchParams }: SearchProps) {
  const address = { path: "/conflicts", search: await searchParams };
  const { filters, problems } = parseConflictFilters(filterSearch(address));
  const problem = (props: PageProblemProps) => (
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
  return showPage(
    { title: "Conflicts", what: "The list of conflicts", address, problem },
    async (ctx) => {
      const [view, facts] = await Promise.all([listConflicts(ctx, filters), listFacts(ctx, "conflicts")]);
      const asked = pageParam(address, "open") ?? firstConflict(view, filters);
      return { view, facts, open: await opened(ctx, asked, (eventId) => readConflict(ctx, { eventId })) };
    },
    ({ view, facts, open }) => (
      <FollowPage page={`conflicts${conflictSearch(filters)}`} since={view.at} refresh="ask">
        <ConflictsView
          view={view}
          opened={open}
          filters={filters}
          problems={problems}
          address={address}
          facts={facts}
        />
      </FollowPage>
    ),
  );
}
