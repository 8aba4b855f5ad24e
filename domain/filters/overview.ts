import { CHART_RANGES, type ChartRange } from "@/domain/views/overview";
import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";

export interface OverviewFilters {
  readonly range: ChartRange;
}

export function parseOverviewFilters(search: SearchInput): Parsed<OverviewFilters> {
  const reader = readSearch(search);
  return reader.done({ range: reader.choice("range", CHART_RANGES, "6h") });
}

export function overviewSearch(filters: OverviewFilters): string {
  return buildSearch({ range: filters.range === "6h" ? undefined : filters.range });
}
