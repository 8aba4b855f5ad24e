import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { InboxState } from "@/domain/idempotency/states";
import { bytea, onceboard } from "./onceboard";

/**
 * One row per (consumer, source, message id), written before handling. While it is recorded its row of `inbox_open`
 * has its fence and its attempts; here they are those of the last attempt that failed or ended it.
 */
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
    /** Of a payload that is sealed: onceboard.document_hash() of what is inside. Null: it stands in clear. */
    documentHash: bytea("document_hash"),
    /** What is read by SQL of a sealed event of a provider: `data.providerKey` and the word in `data.status`. */
    providerKey: text("provider_key"),
    providerStatus: text("provider_status"),
    headers: jsonb("headers").$type<Readonly<Record<string, unknown>>>().notNull().default({}),
    state: text("state").$type<InboxState>().notNull().default("recorded"),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull(),
    processedAt: timestamp("processed_at", { withTimezone: true }),
    result: text("result"),
    duplicates: integer("duplicates").notNull().default(0),
    mismatches: integer("mismatches").notNull().default(0),
    attemptsStarted: integer("attempts_started").notNull().default(0),
    attemptsFinished: integer("attempts_finished").notNull().default(0),
    fence: integer("fence").notNull().default(0),
    lastError: text("last_error"),
    lastErrorCode: text("last_error_code"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // The message id comes first: a look-up of an id over all consumers uses it too.
    uniqueIndex("inbox_messages_dedupe").on(table.tenantId, table.messageId, table.source, table.consumer),
    // No index has what changes when a message is handled, so the row's new version stands beside the old one and touches none.
    index("inbox_messages_received").on(table.tenantId, table.receivedAt, table.id),
    index("inbox_messages_operation").on(table.tenantId, table.operationId),
    check("inbox_messages_state", sql`${table.state} in ('recorded', 'processed', 'dead', 'discarded')`),
  ],
);

/**
 * One row per message that is recorded: when it is due, and who has it. Small, so waiting, claiming and giving back never touch
 * the message itself or its indexes.
 */
export const inboxOpen = onceboard.table(
  "inbox_open",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    consumer: text("consumer").notNull(),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull(),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
    fence: integer("fence").notNull().default(0),
    attemptsStarted: integer("attempts_started").notNull().default(0),
    attemptsFinished: integer("attempts_finished").notNull().default(0),
    /** Handled in a transaction of its own from now on: it failed, was too slow, or ended its process once. */
    alone: boolean("alone").notNull().default(false),
    owner: text("owner"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // What is handled alone lies apart, so that neither of the two has to walk over a flood of the other.
    index("inbox_open_due").on(table.tenantId, table.alone, table.nextAttemptAt),
    // What was tried in vain, for pages: its next attempt is later than that of a flood which nobody has tried yet.
    index("inbox_open_failed")
      .on(table.tenantId, table.consumer, table.nextAttemptAt)
      .where(sql`attempts_finished > 0`),
  ],
);

/**
 * One row per consumer and transaction that finished messages of it: how long each took from its arrival. Rates and lags of a
 * minute are read from here, so that no index of the messages has to have the time of their end.
 */
export const inboxBatches = onceboard.table(
  "inbox_batches",
  {
    tenantId: text("tenant_id").notNull(),
    processedAt: timestamp("processed_at", { withTimezone: true }).notNull(),
    id: uuid("id").notNull(),
    consumer: text("consumer").notNull(),
    /** Milliseconds, one per message. */
    lagsMs: doublePrecision("lags_ms").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.processedAt, table.id] })],
);

/** The newest version of an aggregate that a consumer has handled: an older one that comes later is superseded. */
export const inboxVersions = onceboard.table(
  "inbox_versions",
  {
    tenantId: text("tenant_id").notNull(),
    consumer: text("consumer").notNull(),
    source: text("source").notNull(),
    aggregate: text("aggregate").notNull(),
    version: bigint("version", { mode: "bigint" }).notNull(),
    messageId: text("message_id").notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.consumer, table.source, table.aggregate] })],
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
    outcome: text("outcome").$type<"recorded" | "duplicate" | "mismatch">().notNull(),
    payloadHash: bytea("payload_hash").notNull(),
    requestId: text("request_id"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.day, table.id] }),
    index("inbox_arrivals_inbox").on(table.tenantId, table.inboxId),
    check("inbox_arrivals_outcome", sql`${table.outcome} in ('recorded', 'duplicate', 'mismatch')`),
  ],
);
