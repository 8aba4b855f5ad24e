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

/** `open`: pending and dead. `failing`: pending, and tried in vain at least once. */
export const OUTBOX_TABS = ["open", "pending", "failing", "dead", "discarded", "published"] as const;
export type OutboxTab = (typeof OUTBOX_TABS)[number];
export const OUTBOX_CARRIERS = ["http", "nats", "rabbitmq", "mail"] as const;
export type OutboxCarrier = (typeof OUTBOX_CARRIERS)[number];

/** The window bounds `published` only: what is open is shown whole. */
export interface OutboxFilters extends TimeWindow {
  readonly state: OutboxTab;
  readonly topic?: string | undefined;
  /** What carries it; of a published one, what carried it. */
  readonly transport?: OutboxCarrier | undefined;
  readonly type?: string | undefined;
  readonly aggregate?: string | undefined;
  readonly error?: string | undefined;
  readonly operationId?: string | undefined;
  /** Written at least this long ago. */
  readonly older?: Older | undefined;
}

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
