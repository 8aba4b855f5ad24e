import { METRIC_RANGES, type MetricRange } from "@/domain/metrics/chart-window";
import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";
import { METRIC_GROUPS, type MetricGroup } from "@/domain/lists/filters";

/** What the charts cover and how they are divided. Every part is in the address. */
export interface MetricFilters {
  readonly range: MetricRange;
  /** Instead of the range. RFC 3339 UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly group?: MetricGroup | undefined;
}

const DEFAULT_RANGE: MetricRange = "6h";
/** As a field for date and time writes it: no zone, and the page says UTC beside it. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** Total: never throws. Times without a zone are UTC; a beginning that is not before the end is left out and named. */
export function parseMetricFilters(search: SearchInput): Parsed<MetricFilters> {
  const reader = readSearch(Object.fromEntries(Object.entries(search).map(([name, value]) => [name, withZone(value)])));
  const range = reader.choice("range", METRIC_RANGES, DEFAULT_RANGE);
  const [from, to] = [reader.time("from"), reader.time("to")];
  const parsed = reader.done({ range, group: reader.choice("group", METRIC_GROUPS, undefined) });
  if (from !== undefined && to !== undefined && from >= to)
    return { ...parsed, problems: [...parsed.problems, { name: "from", detail: "not before the end" }] };
  return { ...parsed, filters: { ...parsed.filters, from, to } };
}

function withZone(value: string | readonly string[] | undefined): string | readonly string[] | undefined {
  return typeof value === "string" && WITHOUT_ZONE.test(value) ? `${value}Z` : value;
}

export function metricSearch({ range, from, to, group }: MetricFilters): string {
  return buildSearch({ range: range === DEFAULT_RANGE ? undefined : range, from, to, group });
}
