import { sql } from "drizzle-orm";
import { bigint, check, date, index, integer, jsonb, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { OutboxState } from "@/domain/idempotency/states";
import type { Republication } from "@/domain/messages/republish-verdict";
import { onceboard } from "./onceboard";

const columns = () => ({
  tenantId: text("tenant_id").notNull(),
  id: uuid("id").notNull(),
  operationId: uuid("operation_id"),
  aggregateType: text("aggregate_type").notNull(),
  aggregateId: text("aggregate_id").notNull(),
  topic: text("topic").notNull(),
  type: text("type").notNull(),
  payload: jsonb("payload").notNull(),
  headers: jsonb("headers").$type<Readonly<Record<string, unknown>>>().notNull().default({}),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  attemptsStarted: integer("attempts_started").notNull().default(0),
  attemptsFinished: integer("attempts_finished").notNull().default(0),
  lastError: text("last_error"),
  lastErrorCode: text("last_error_code"),
  /** Earlier publications, the oldest first, of a message that a person published again; null of all others. */
  republished: jsonb("republished").$type<readonly Republication[]>(),
});

/**
 * What waits for the relay, what is dead, and what a person discarded. Published rows move to outbox_history, so this table stays small.
 * `position` orders the messages of one aggregate; claiming is by state, never by `position > last`.
 */
export const outboxMessages = onceboard.table(
  "outbox_messages",
  {
    ...columns(),
    position: bigint("position", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    state: text("state").$type<Exclude<OutboxState, "published">>().notNull().default("pending"),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    owner: text("owner"),
    fence: integer("fence").notNull().default(0),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // A relay takes one topic at a time, so that a topic whose destination is down takes no turn of the others.
    index("outbox_messages_due")
      .on(table.tenantId, table.topic, table.nextAttemptAt)
      .where(sql`state = 'pending'`),
    // What was tried in vain, for pages: its next attempt is later than that of a flood which nobody has tried yet.
    index("outbox_messages_failed")
      .on(table.tenantId, table.topic, table.nextAttemptAt)
      .where(sql`state = 'pending' and (attempts_finished > 0 or last_error_code is not null)`),
    // The order of the list: what is dead, then what has waited longest, then what was discarded (outboxRank).
    index("outbox_messages_list").on(
      table.tenantId,
      sql`((case state when 'dead' then 0 when 'pending' then 100000000000000000 else 200000000000000000 end + position)::bigint)`,
      table.id,
    ),
    index("outbox_messages_aggregate").on(table.tenantId, table.aggregateType, table.aggregateId, table.position),
    index("outbox_messages_operation").on(table.tenantId, table.operationId),
    // The find box: the trace that a message belongs to. Nothing is in it where callers send no trace.
    index("outbox_messages_trace")
      .on(table.tenantId, sql`split_part(headers ->> 'traceparent', '-', 2)`)
      .where(sql`headers ? 'traceparent'`),
    check("outbox_messages_state", sql`${table.state} in ('pending', 'dead', 'discarded')`),
  ],
);

/** Published messages by day of publication. */
export const outboxHistory = onceboard.table(
  "outbox_history",
  {
    ...columns(),
    day: date("day").notNull(),
    position: bigint("position", { mode: "bigint" }).notNull(),
    publishedAt: timestamp("published_at", { withTimezone: true }).notNull(),
    /** The relay that published it, or `operator` when a person closed it. */
    publishedBy: text("published_by"),
    /** What carried it: `http`, `nats`, `rabbitmq`, `kafka`, `mail`; none when a person closed it. */
    transport: text("transport"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.day, table.id] }),
    index("outbox_history_operation").on(table.tenantId, table.operationId),
    index("outbox_history_published").on(table.tenantId, table.publishedAt),
    // One message by its id, whatever day it was published on.
    index("outbox_history_id").on(table.tenantId, table.id),
    index("outbox_history_trace")
      .on(table.tenantId, sql`split_part(headers ->> 'traceparent', '-', 2)`)
      .where(sql`headers ? 'traceparent'`),
  ],
);
