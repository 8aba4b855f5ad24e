import { minorDigits } from "@/domain/money";
import { OPERATION_STATES } from "@/domain/idempotency/states";
import { buildSearch, readSearch, readWindow, windowSearch, type Parsed, type SearchInput } from "./search";
import { OPERATION_SORTS, type OperationFilters, type ShownState } from "@/domain/lists/filters";

export const SHOWN_STATES: readonly ShownState[] = [...OPERATION_STATES, "STALE"];

/** Total: never throws, whatever the address bar holds. */
export function parseOperationFilters(search: SearchInput): Parsed<OperationFilters> {
  const reader = readSearch(search);
  const currency = reader.text("currency");
  return reader.done({
    states: reader.many("state", SHOWN_STATES),
    operation: reader.text("operation"),
    client: reader.text("client"),
    account: reader.text("account"),
    reference: reader.text("reference"),
    key: reader.text("key"),
    error: reader.text("error"),
    currency,
    min: reader.amount("min", currency),
    max: reader.amount("max", currency),
    attention: reader.flag("attention"),
    sort: reader.choice("sort", OPERATION_SORTS, OPERATION_SORTS[0]),
    direction: reader.choice("direction", ["asc", "desc"] as const, "desc"),
    ...readWindow(reader),
  });
}

/** @returns the query string of these filters, defaults left out. */
export function operationSearch(filters: OperationFilters, cursor?: string): string {
  const { states, min, max, sort, direction, range, from, to, currency, ...rest } = filters;
  return buildSearch({
    state: states,
    ...rest,
    currency,
    min: decimal(min, currency),
    max: decimal(max, currency),
    sort: sort === OPERATION_SORTS[0] ? undefined : sort,
    direction: direction === "desc" ? undefined : direction,
    ...windowSearch({ range, from, to }),
    cursor,
  });
}

function decimal(minor: string | undefined, currency: string | undefined): string | undefined {
  if (minor === undefined) return undefined;
  const digits = minorDigits(currency ?? "EUR");
  const text = minor.padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
