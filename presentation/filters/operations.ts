import { minorDigits } from "@/domain/money";
import type { ShownState } from "@/presentation/views/common";
import { OPERATION_STATES } from "@/domain/idempotency/states";
import {
  buildSearch,
  readSearch,
  readWindow,
  windowSearch,
  type Parsed,
  type SearchInput,
  type TimeWindow,
} from "./search";

export const SHOWN_STATES: readonly ShownState[] = [...OPERATION_STATES, "STALE"];
export const OPERATION_SORTS = ["created", "amount", "expires"] as const;
export type OperationSort = (typeof OPERATION_SORTS)[number];

export interface OperationFilters extends TimeWindow {
  readonly states: readonly ShownState[];
  readonly operation?: string | undefined;
  /** Name or id of a client; with a leading `!`: any but this one. */
  readonly client?: string | undefined;
  readonly account?: string | undefined;
  readonly reference?: string | undefined;
  readonly key?: string | undefined;
  readonly error?: string | undefined;
  readonly currency?: string | undefined;
  /** Minor units as text. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** Only what is unknown or stale. */
  readonly attention: boolean;
  readonly sort: OperationSort;
  readonly direction: "asc" | "desc";
}

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
    sort: reader.choice("sort", OPERATION_SORTS, "created"),
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
    sort: sort === "created" ? undefined : sort,
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

/** Whether everything asked for is open; those are listed whatever their age. */
export function onlyOpenStates(filters: Pick<OperationFilters, "states" | "attention">): boolean {
  const open = filters.states.every(
    (state) => state === "IN_PROGRESS" || state === "STALE" || state === "UNKNOWN_REQUIRES_RECOVERY",
  );
  return filters.attention || (filters.states.length > 0 && open);
}
