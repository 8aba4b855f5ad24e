import { CLIENT_RANGES, type ClientRange } from "@/presentation/views/clients";
import { readSearch, type Parsed, type SearchInput } from "./search";

interface ClientFilters {
  readonly range: ClientRange;
}

export function parseClientFilters(search: SearchInput): Parsed<ClientFilters> {
  const reader = readSearch(search);
  return reader.done({ range: reader.choice("range", CLIENT_RANGES, "24h") });
}
