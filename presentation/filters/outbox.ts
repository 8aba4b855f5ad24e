import { buildSearch, readSearch, readWindow, windowSearch, type Parsed, type SearchInput } from "./search";
import { OLDER } from "@/domain/lists/window";
import { OUTBOX_CARRIERS, OUTBOX_TABS, type OutboxFilters } from "@/domain/lists/filters";

export function parseOutboxFilters(search: SearchInput): Parsed<OutboxFilters> {
  const reader = readSearch(search);
  return reader.done({
    state: reader.choice("state", OUTBOX_TABS, "open"),
    topic: reader.text("topic"),
    transport: reader.choice("transport", OUTBOX_CARRIERS, undefined),
    type: reader.text("type"),
    aggregate: reader.text("aggregate"),
    error: reader.text("error"),
    operationId: reader.uuid("operationId"),
    older: reader.choice("older", OLDER, undefined),
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
