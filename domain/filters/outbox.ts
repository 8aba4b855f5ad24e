import {
  buildSearch,
  readSearch,
  readWindow,
  windowSearch,
  type Parsed,
  type SearchInput,
  type TimeWindow,
} from "./search";

export const OUTBOX_TABS = ["open", "pending", "dead", "published"] as const;
export type OutboxTab = (typeof OUTBOX_TABS)[number];

/** The window bounds `published` only: what is open is shown whole. */
export interface OutboxFilters extends TimeWindow {
  readonly state: OutboxTab;
  readonly topic?: string | undefined;
  readonly type?: string | undefined;
  readonly aggregate?: string | undefined;
  readonly error?: string | undefined;
  readonly operationId?: string | undefined;
}

export function parseOutboxFilters(search: SearchInput): Parsed<OutboxFilters> {
  const reader = readSearch(search);
  return reader.done({
    state: reader.choice("state", OUTBOX_TABS, "open"),
    topic: reader.text("topic"),
    type: reader.text("type"),
    aggregate: reader.text("aggregate"),
    error: reader.text("error"),
    operationId: reader.uuid("operationId"),
    ...readWindow(reader),
  });
}

export function outboxSearch(filters: OutboxFilters, cursor?: string): string {
  const { state, range, from, to, ...rest } = filters;
  return buildSearch({
    state: state === "open" ? undefined : state,
    ...rest,
    ...windowSearch({ range, from, to }),
    cursor,
  });
}
