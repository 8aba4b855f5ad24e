import type { Metadata } from "next";
import { sharedRead, showRead, type SearchProps } from "@/app/_server/show-page";
import { OverviewView } from "@/components/overview/overview-view";
import { readOverview } from "@/console/read/deployment/read-overview";
import { parseRiskFilters } from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch } from "@/presentation/list/page-address";
import type { RiskRange } from "@/domain/metrics/risk";
import type { ChartRange } from "@/presentation/views/common";

/** Plain values, so that the title and the page share one read. */
const read = sharedRead(
  (
    ctx,
    range: ChartRange | undefined,
    risk: RiskRange,
    currency: string | undefined,
    from: string | undefined,
    to: string | undefined,
  ) => readOverview(ctx, { range, risk, currency, from, to }),
);

function asked(search: SearchInput): ReturnType<typeof read> {
  const { range, risk, currency, from, to } = parseRiskFilters(filterSearch({ path: "/", search })).filters;
  return read(range, risk, currency, from, to);
}

export async function generateMetadata({ searchParams }: SearchProps): Promise<Metadata> {
  const found = await asked(await searchParams);
  return { title: found.ok ? found.value.verdict.text : "Overview" };
}

export default async function OverviewPage({ searchParams }: SearchProps) {
  const address = { path: "/", search: await searchParams };
  return showRead({ title: "Overview", what: "The overview", address }, await asked(address.search), (view) => (
    <OverviewView view={view} address={address} />
  ));
}
