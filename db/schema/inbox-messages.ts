import { sql } from "drizzle-orm";
import {
  check,
  date,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, onceboard } from "./onceboard";

/** One row per (consumer, source, message id), written before handling (S3.4, S3.5). */
export const inboxMessages = onceboard.table(
  "inbox_messages",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    consumer: text("consumer").notNull(),
    source: text("source").notNull(),
    messageId: text("message_id").notNull(),
    type: text("type").notNull(),
    operationId: uuid("operation_id"),
    payload: jsonb("payload").notNull(),
    payloadHash: bytea("payload_hash").notNull(),
    headers: jsonb("headers").notNull().default({}),
    state: text("state").notNull().default("recorded"),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull(),
    processedAt: timestamp("processed_at", { withTimezone: true }),
    result: text("result"),
    duplicates: integer("duplicates").notNull().default(0),
    mismatches: integer("mismatches").notNull().default(0),
    attemptsStarted: integer("attempts_started").notNull().default(0),
    attemptsFinished: integer("attempts_finished").notNull().default(0),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }),
    owner: text("owner"),
    fence: integer("fence").notNull().default(0),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
    lastError: text("last_error"),
    lastErrorCode: text("last_error_code"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("inbox_messages_dedupe").on(table.tenantId, table.consumer, table.source, table.messageId),
    // Only what waits is in this index, so consuming never scans history.
    index("inbox_messages_due")
      .on(table.tenantId, table.nextAttemptAt)
      .where(sql`state = 'recorded'`),
    index("inbox_messages_received").on(table.tenantId, table.receivedAt, table.id),
    index("inbox_messages_operation").on(table.tenantId, table.operationId),
    index("inbox_messages_message").on(table.tenantId, table.messageId),
    check("inbox_messages_state", sql`${table.state} in ('recorded', 'processed', 'dead')`),
  ],
);

/** Every arrival, also the duplicates, by day: who sent it again and whether the payload was the same. */
export const inboxArrivals = onceboard.table(
  "inbox_arrivals",
  {
    tenantId: text("tenant_id").notNull(),
    day: date("day").notNull(),
    id: uuid("id").notNull(),
    inboxId: uuid("inbox_id").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    outcome: text("outcome").notNull(),
    payloadHash: bytea("payload_hash").notNull(),
    requestId: text("request_id"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.day, table.id] }),
    index("inbox_arrivals_inbox").on(table.tenantId, table.inboxId),
    check("inbox_arrivals_outcome", sql`${table.outcome} in ('recorded', 'duplicate', 'mismatch')`),
  ],
);
