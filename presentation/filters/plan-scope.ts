import { operationSearch, parseOperationFilters, parseOutboxFilters } from "./parsers";
import type { OperationFilters, OutboxFilters, PublishedScope } from "@/domain/lists/filters";

/** A filter of the list of operations as a plan keeps it: its query string, with a time window that does not move any more. */
export interface OperationScope {
  /** "?state=…&from=…&to=…", from and to absolute. */
  readonly search: string;
  /** The window had no end of its own: `to` is when the plan was made. */
  readonly openEnd: boolean;
}

/**
 * Freezes the window of a filter.
 * @param at when the plan is made, RFC 3339
 * @param hours the window's length when it is relative; undefined: none, or of its own
 */
export function frozenScope(filters: OperationFilters, at: string, hours: number | undefined): OperationScope {
  const from =
    filters.from ?? (hours === undefined ? undefined : new Date(Date.parse(at) - hours * 3_600_000).toISOString());
  const to = filters.to ?? at;
  // Sorted by amount, the list leaves out what has none.
  const min = filters.min ?? (filters.sort === "amount" ? "0" : undefined);
  return {
    search: operationSearch({ ...filters, min, range: "all", sort: "created", direction: "desc", from, to }),
    openEnd: filters.to === undefined,
  };
}

/** @returns the filter that a plan kept. @param now true: as it would match now, without the end that freezing gave it */
export function filtersOfScope(scope: OperationScope, now = false): OperationFilters {
  const query = new URLSearchParams(scope.search);
  const search: Record<string, string[]> = {};
  for (const name of new Set(query.keys())) search[name] = query.getAll(name);
  const { filters } = parseOperationFilters(search);
  return now && scope.openEnd ? { ...filters, to: undefined } : filters;
}

/** @returns the scope in what a plan's row keeps, if it froze a filter of operations. */
export function scopeOfPlan(filter: Readonly<Record<string, unknown>>): OperationScope | undefined {
  const { search, openEnd } = filter;
  return typeof search === "string" ? { search, openEnd: openEnd === true } : undefined;
}

/**
 * Freezes the window of a filter of published messages.
 * @param at when the plan is made, RFC 3339
 * @param hours the window's length when it is relative; undefined: none, or of its own
 */
export function publishedScope(filters: OutboxFilters, at: string, hours: number | undefined): PublishedScope {
  const { topic, transport, type, aggregate, error, operationId, to = at } = filters;
  const since = hours === undefined ? undefined : new Date(Date.parse(at) - hours * 3_600_000).toISOString();
  const from = filters.from ?? since;
  const given = Object.entries({ topic, transport, type, aggregate, error, operationId, from, to });
  return { ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), state: "published" };
}

/** @returns the scope in what a plan's row keeps, if it froze a filter of published messages. */
export function publishedOfPlan(filter: Readonly<Record<string, unknown>>): PublishedScope | undefined {
  if (filter["state"] !== "published") return undefined;
  const search: Record<string, string> = {};
  for (const [name, value] of Object.entries(filter)) if (typeof value === "string") search[name] = value;
  const { filters } = parseOutboxFilters(search);
  return publishedScope(filters, filters.to ?? "", undefined);
}
