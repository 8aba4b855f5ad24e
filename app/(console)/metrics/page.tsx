import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
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
  // Nobody chose a time: the usual one, or as much of it as was measured.
  read: (ctx, { filters, address }) =>
    Promise.all([readMetrics(ctx, filters, { fit: address.search["range"] === undefined }), listFacts(ctx, "metrics")]),
  show: ([view, facts], { filters, problems, address }) => (
    <MetricsView {...{ view, filters, problems, address, facts }} />
  ),
});
