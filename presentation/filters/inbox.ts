import { INBOX_STATES, type InboxState } from "@/domain/idempotency/states";
import { OLDER, type Older } from "./older";
import {
  buildSearch,
  readSearch,
  readWindow,
  windowSearch,
  type Parsed,
  type SearchInput,
  type TimeWindow,
} from "./search";

export interface InboxFilters extends TimeWindow {
  readonly states: readonly InboxState[];
  readonly consumer?: string | undefined;
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  readonly messageId?: string | undefined;
  readonly error?: string | undefined;
  readonly operationId?: string | undefined;
  /** Received at least this long ago. */
  readonly older?: Older | undefined;
  /** Only what waits and was tried in vain at least once. */
  readonly failing: boolean;
  /** Only messages that arrived more than once. */
  readonly duplicates: boolean;
  /** Only message ids that came with another payload. */
  readonly mismatches: boolean;
}

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
