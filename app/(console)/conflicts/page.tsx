import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { firstConflict } from "@/components/conflicts/conflict-words";
import { ConflictsView } from "@/components/conflicts/conflicts-view";
import { ListProblem } from "@/components/feedback/list-problem";
import { ButtonLink } from "@/components/ui/button";
import { FollowPage } from "@/components/shell/live-provider";
import { conflictSearch, parseConflictFilters } from "@/presentation/filters/conflicts";
import type { SearchInput } from "@/presentation/filters/search";
import { filterHref, filterSearch, hrefWith, pageParam } from "@/presentation/list/page-address";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { readConflict } from "@/console/read/operations/read-conflict";

export const metadata: Metadata = { title: "Conflicts" };

export default async function ConflictsPage({ searchParams }: { readonly searchParams: Promise<SearchInput> }) {
  const ctx = await consoleContext();
  const address = { path: "/conflicts", search: await searchParams };
  const { filters, problems } = parseConflictFilters(filterSearch(address));
  const [list, facts] = await Promise.all([
    attempt(ctx, () => listConflicts(ctx, filters)),
    listFacts(ctx, "conflicts"),
  ]);
  if (!list.ok)
    return (
      <ListProblem
        title="Conflicts"
        what="The list of conflicts"
        problem={list}
        retryHref={hrefWith(address, {})}
        looked="the conflicts of this time"
        narrower={
          <ButtonLink small href={filterHref(address, { range: undefined, from: undefined, to: undefined })}>
            Use 24 hours
          </ButtonLink>
        }
      />
    );
  const asked = pageParam(address, "open") ?? firstConflict(list.value, filters);
  const open = await opened(ctx, asked, (eventId) => readConflict(ctx, { eventId }));
  return (
    <>
      <FollowPage page={`conflicts${conflictSearch(filters)}`} since={list.value.at} refresh="ask" />
      <ConflictsView
        view={list.value}
        opened={open}
        filters={filters}
        problems={problems}
        address={address}
        facts={facts}
      />
    </>
  );
}
