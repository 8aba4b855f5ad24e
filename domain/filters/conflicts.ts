import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";

const CONFLICT_RANGES = ["24h", "7d"] as const;

export interface ConflictFilters {
  readonly range: (typeof CONFLICT_RANGES)[number];
  /** Event id of the conflict that is open beside the list. */
  readonly conflict?: string | undefined;
  readonly client?: string | undefined;
  readonly operation?: string | undefined;
}

export function parseConflictFilters(search: SearchInput): Parsed<ConflictFilters> {
  const reader = readSearch(search);
  return reader.done({
    range: reader.choice("range", CONFLICT_RANGES, "24h"),
    conflict: reader.uuid("conflict"),
    client: reader.text("client"),
    operation: reader.text("operation"),
  });
}

export function conflictSearch(filters: ConflictFilters): string {
  return buildSearch({ ...filters, range: filters.range === "24h" ? undefined : filters.range });
}

export function conflictHours(filters: ConflictFilters): 24 | 168 {
  return filters.range === "24h" ? 24 : 168;
}
