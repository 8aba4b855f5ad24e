import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { MetricsView } from "@/components/metrics/metrics-view";
import { parseMetricFilters } from "@/presentation/filters/metrics";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith } from "@/presentation/list/page-address";
import { readMetrics } from "@/console/read/deployment/read-metrics";

export const metadata: Metadata = { title: "Metrics" };

interface MetricsPageProps {
  readonly searchParams: Promise<SearchInput>;
}

export default async function MetricsPage({ searchParams }: MetricsPageProps) {
  const address = { path: "/metrics", search: await searchParams };
  const ctx = await consoleContext();
  const { filters, problems } = parseMetricFilters(filterSearch(address));
  const found = await attempt(ctx, () => readMetrics(ctx, filters));
  if (!found.ok)
    return <PageProblem title="Metrics" what="The charts" problem={found} retryHref={hrefWith(address, {})} />;
  return <MetricsView view={found.value} filters={filters} problems={problems} address={address} />;
}
