import { CLIENT_RANGES, type ClientRange } from "@/domain/views/clients";
import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";

export interface ClientFilters {
  readonly range: ClientRange;
}

export function parseClientFilters(search: SearchInput): Parsed<ClientFilters> {
  const reader = readSearch(search);
  return reader.done({ range: reader.choice("range", CLIENT_RANGES, "24h") });
}

export function clientSearch(filters: ClientFilters): string {
  return buildSearch({ range: filters.range === "24h" ? undefined : filters.range });
}
