import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";
import { CHART_RANGES, type ChartRange } from "@/presentation/views/common";

export interface OverviewFilters {
  /** Undefined: the range that what has been rolled up so far fills. */
  readonly range?: ChartRange | undefined;
}

export function parseOverviewFilters(search: SearchInput): Parsed<OverviewFilters> {
  const reader = readSearch(search);
  return reader.done({ range: reader.choice("range", CHART_RANGES, undefined) });
}

export function overviewSearch(filters: OverviewFilters): string {
  return buildSearch({ range: filters.range });
}
