import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** Messages of both sides that ran out of attempts; `error_fingerprint` groups them. The message row itself stays. */
export const deadLetters = onceboard.table(
  "dead_letters",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    side: text("side").notNull(),
    messageRowId: uuid("message_row_id").notNull(),
    place: text("place").notNull(),
    type: text("type").notNull(),
    operationId: uuid("operation_id"),
    errorFingerprint: text("error_fingerprint").notNull(),
    errorCode: text("error_code").notNull(),
    error: text("error").notNull(),
    attempts: integer("attempts").notNull(),
    deadAt: timestamp("dead_at", { withTimezone: true }).notNull(),
    requeuedAt: timestamp("requeued_at", { withTimezone: true }),
    requeuedBy: text("requeued_by"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // One open dead letter per message; a requeued message may die again.
    uniqueIndex("dead_letters_open")
      .on(table.tenantId, table.side, table.messageRowId)
      .where(sql`requeued_at is null`),
    index("dead_letters_dead").on(table.tenantId, table.deadAt),
    check("dead_letters_side", sql`${table.side} in ('outbox', 'inbox')`),
  ],
);
