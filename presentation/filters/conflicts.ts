import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";
import { CONFLICT_RANGES, type ConflictFilters, DEFAULT_CONFLICT_RANGE } from "@/domain/lists/filters";

/** Total: never throws. `from` stands instead of the range, `to` ends either. */
export function parseConflictFilters(search: SearchInput): Parsed<ConflictFilters> {
  const reader = readSearch(search);
  return reader.done({
    range: reader.choice("range", CONFLICT_RANGES, DEFAULT_CONFLICT_RANGE),
    from: reader.time("from"),
    to: reader.time("to"),
    conflict: reader.uuid("conflict"),
    client: reader.text("client"),
    operation: reader.text("operation"),
  });
}

export function conflictSearch(filters: ConflictFilters): string {
  return buildSearch({ ...filters, range: filters.range === DEFAULT_CONFLICT_RANGE ? undefined : filters.range });
}
