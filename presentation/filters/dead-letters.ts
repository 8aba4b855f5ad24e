import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";
import { type DeadLetterFilters, type DeadLetterScope, GROUP_SORTS } from "@/domain/lists/filters";

export function parseDeadLetterFilters(search: SearchInput): Parsed<DeadLetterFilters> {
  const reader = readSearch(search);
  return reader.done({
    side: reader.choice("side", ["outbox", "inbox"] as const, undefined),
    place: reader.text("place"),
    type: reader.text("type"),
    error: reader.text("error"),
    fingerprint: reader.text("fingerprint"),
    operationId: reader.uuid("operationId"),
    from: reader.time("from"),
    to: reader.time("to"),
    settled: reader.flag("settled"),
    sort: reader.choice("sort", GROUP_SORTS, GROUP_SORTS[0]),
    all: reader.flag("all"),
  });
}

export function deadLetterSearch(filters: DeadLetterFilters): string {
  const { sort, ...rest } = filters;
  return buildSearch({ ...rest, sort: sort === GROUP_SORTS[0] ? undefined : sort });
}

const SCOPE = ["side", "place", "type", "error", "fingerprint", "operationId", "from", "to"] as const;

/** @returns only what narrows the rows, without what is not set. */
export function scopeOf(filters: DeadLetterScope): DeadLetterScope {
  return Object.fromEntries(SCOPE.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])));
}

const GROUP_KEY = /^(outbox|inbox)\.([^~]{1,200})~(.{1,200})$/;

/** One group in an address: `outbox.<fingerprint>~<place>`. */
export function groupKey(group: Required<Pick<DeadLetterScope, "side" | "place" | "fingerprint">>): string {
  return `${group.side ?? ""}.${group.fingerprint ?? ""}~${group.place ?? ""}`;
}

/** @returns the group that a key of {@link groupKey} names; undefined for anything else. */
export function groupOfKey(key: string | undefined): DeadLetterScope | undefined {
  const [, side, fingerprint, place] = GROUP_KEY.exec(key ?? "") ?? [];
  return side === undefined ? undefined : { side: side as "outbox" | "inbox", fingerprint, place };
}
