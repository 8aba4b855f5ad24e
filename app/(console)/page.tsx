import type { Metadata } from "next";
import { sharedRead, showRead, type SearchProps } from "@/app/_server/show-page";
import { OverviewView } from "@/components/overview/overview-view";
import { readOverview } from "@/console/read/deployment/read-overview";
import { parseOverviewFilters } from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, pageParam } from "@/presentation/list/page-address";
import type { ChartRange } from "@/presentation/views/common";

const read = sharedRead((ctx, range: ChartRange | undefined) => readOverview(ctx, { range }));

function rangeOf(search: SearchInput): ChartRange | undefined {
  return parseOverviewFilters(filterSearch({ path: "/", search })).filters.range;
}

export async function generateMetadata({ searchParams }: SearchProps): Promise<Metadata> {
  const found = await read(rangeOf(await searchParams));
  return { title: found.ok ? found.value.verdict.text : "Overview" };
}

export default async function OverviewPage({ searchParams }: SearchProps) {
  const address = { path: "/", search: await searchParams };
  return showRead({ title: "Overview", what: "The overview", address }, await read(rangeOf(address.search)), (view) => (
    <OverviewView view={view} asTable={pageParam(address, "table") !== undefined} />
  ));
}
