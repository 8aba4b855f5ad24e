import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { MetricsView } from "@/components/metrics/metrics-view";
import { readMetrics } from "@/console/read/deployment/read-metrics";
import { parseMetricFilters } from "@/presentation/filters/parsers";

export const metadata: Metadata = { title: "Metrics" };

export default consolePage({
  title: "Metrics",
  what: "The charts",
  path: "/metrics",
  parse: parseMetricFilters,
  read: (ctx, { filters }) => readMetrics(ctx, filters),
  show: (view, { filters, problems, address }) => <MetricsView {...{ view, filters, problems, address }} />,
});
