import { INBOX_STATES } from "@/domain/idempotency/states";
import { buildSearch, readSearch, readWindow, windowSearch, type Parsed, type SearchInput } from "./search";
import { OLDER } from "@/domain/lists/window";
import type { InboxFilters } from "@/domain/lists/filters";

export function parseInboxFilters(search: SearchInput): Parsed<InboxFilters> {
  const reader = readSearch(search);
  return reader.done({
    states: reader.many("state", INBOX_STATES),
    consumer: reader.text("consumer"),
    source: reader.text("source"),
    type: reader.text("type"),
    messageId: reader.text("messageId"),
    error: reader.text("error"),
    operationId: reader.uuid("operationId"),
    older: reader.choice("older", OLDER, undefined),
    failing: reader.flag("failing"),
    duplicates: reader.flag("duplicates"),
    mismatches: reader.flag("mismatches"),
    ...readWindow(reader),
  });
}

export function inboxSearch(filters: InboxFilters, cursor?: string): string {
  const { states, range, from, to, ...rest } = filters;
  return buildSearch({ state: states, ...rest, ...windowSearch({ range, from, to }), cursor });
}
