import { buildSearch, readSearch, type Parsed, type SearchInput, type TimeWindow } from "./search";

export const CONFLICT_RANGES = ["24h", "7d"] as const;
type ConflictRange = (typeof CONFLICT_RANGES)[number];
const DEFAULT_RANGE: ConflictRange = "24h";

/** What narrows the conflicts of a tenant. */
export interface ConflictFilters extends TimeWindow {
  readonly range: ConflictRange;
  /** Event id of the conflict that is open beside the list. */
  readonly conflict?: string | undefined;
  /** Name of a client, as events carry it. */
  readonly client?: string | undefined;
  readonly operation?: string | undefined;
}

/** The filters without the place; the time may be left to its default. */
export type ConflictSearch = Partial<Omit<ConflictFilters, "conflict">>;

/** Total: never throws. `from` stands instead of the range, `to` ends either. */
export function parseConflictFilters(search: SearchInput): Parsed<ConflictFilters> {
  const reader = readSearch(search);
  return reader.done({
    range: reader.choice("range", CONFLICT_RANGES, DEFAULT_RANGE),
    from: reader.time("from"),
    to: reader.time("to"),
    conflict: reader.uuid("conflict"),
    client: reader.text("client"),
    operation: reader.text("operation"),
  });
}

export function conflictSearch(filters: ConflictFilters): string {
  return buildSearch({ ...filters, range: filters.range === DEFAULT_RANGE ? undefined : filters.range });
}

/** @returns the window to read, the default where none is named */
export function conflictWindow({ range = DEFAULT_RANGE, from, to }: ConflictSearch): TimeWindow {
  return { range, from, to };
}
