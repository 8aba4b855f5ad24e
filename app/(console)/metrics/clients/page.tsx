import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { HeatmapView } from "@/components/heatmap/heatmap-view";
import { readHeatmap } from "@/console/read/deployment/read-heatmap";
import { parseHeatmapFilters } from "@/presentation/filters/parsers";

export const metadata: Metadata = { title: "Clients by time" };

export default consolePage({
  title: "Clients by time",
  what: "The map",
  path: "/metrics/clients",
  parse: parseHeatmapFilters,
  read: (ctx, { filters }) => readHeatmap(ctx, filters),
  show: (view, { problems, address }) => <HeatmapView {...{ view, problems, address }} />,
});
