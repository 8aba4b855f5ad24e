import type { Metadata } from "next";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { OverviewView } from "@/components/overview/overview-view";
import { parseOverviewFilters, type OverviewFilters } from "@/presentation/filters/overview";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith, pageParam } from "@/presentation/list/page-address";
import { readOverview } from "@/console/read/deployment/read-overview";

interface OverviewPageProps {
  readonly searchParams: Promise<SearchInput>;
}

/** Once for the title and the page. */
const read = cache(async (range: OverviewFilters["range"]) => {
  const ctx = await consoleContext();
  return attempt(ctx, () => readOverview(ctx, { range }));
});

function rangeOf(search: SearchInput): OverviewFilters["range"] {
  return parseOverviewFilters(filterSearch({ path: "/", search })).filters.range;
}

export async function generateMetadata({ searchParams }: OverviewPageProps): Promise<Metadata> {
  const found = await read(rangeOf(await searchParams));
  return { title: found.ok ? found.value.verdict.text : "Overview" };
}

export default async function OverviewPage({ searchParams }: OverviewPageProps) {
  const address = { path: "/", search: await searchParams };
  const found = await read(rangeOf(address.search));
  if (!found.ok)
    return <PageProblem title="Overview" what="The overview" problem={found} retryHref={hrefWith(address, {})} />;
  return <OverviewView view={found.value} asTable={pageParam(address, "table") !== undefined} />;
}
