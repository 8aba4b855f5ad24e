import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";

export interface DeadLetterFilters {
  readonly side?: "outbox" | "inbox" | undefined;
  readonly place?: string | undefined;
  readonly fingerprint?: string | undefined;
  /** Also those that were requeued since. */
  readonly requeued: boolean;
}

export function parseDeadLetterFilters(search: SearchInput): Parsed<DeadLetterFilters> {
  const reader = readSearch(search);
  return reader.done({
    side: reader.choice("side", ["outbox", "inbox"] as const, undefined),
    place: reader.text("place"),
    fingerprint: reader.text("fingerprint"),
    requeued: reader.flag("requeued"),
  });
}

export function deadLetterSearch(filters: DeadLetterFilters): string {
  return buildSearch({ ...filters });
}
