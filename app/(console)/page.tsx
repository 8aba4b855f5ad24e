import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { OverviewView } from "@/components/overview/overview-view";
import { parseOverviewFilters } from "@/domain/filters/overview";
import type { SearchInput } from "@/domain/filters/search";
import { filterSearch, hrefWith, placeOf } from "@/domain/page-address";
import { readOverview } from "@/engine/read/read-overview";

export const metadata: Metadata = { title: "Overview" };

interface OverviewPageProps {
  readonly searchParams: Promise<SearchInput>;
}

export default async function OverviewPage({ searchParams }: OverviewPageProps) {
  const address = { path: "/", search: await searchParams };
  const ctx = await consoleContext();
  const { filters } = parseOverviewFilters(filterSearch(address));
  const read = await attempt(ctx, () => readOverview(ctx, { range: filters.range }));
  if (!read.ok)
    return <PageProblem title="Overview" what="The overview" problem={read} retryHref={hrefWith(address, {})} />;
  return <OverviewView view={read.value} asTable={placeOf(address, "table") !== undefined} />;
}
