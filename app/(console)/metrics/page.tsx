import type { Metadata } from "next";
import { showPage, type SearchProps } from "@/app/_server/show-page";
import { MetricsView } from "@/components/metrics/metrics-view";
import { readMetrics } from "@/console/read/deployment/read-metrics";
import { parseMetricFilters } from "@/presentation/filters/parsers";
import { filterSearch } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Metrics" };

export default async function MetricsPage({ searchParams }: SearchProps) {
  const address = { path: "/metrics", search: await searchParams };
  const { filters, problems } = parseMetricFilters(filterSearch(address));
  return showPage(
    { title: "Metrics", what: "The charts", address },
    (ctx) => readMetrics(ctx, filters),
    (view) => <MetricsView view={view} filters={filters} problems={problems} address={address} />,
  );
}
