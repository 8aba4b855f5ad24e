import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { DeadLetterSettlement, MessageSide } from "@/domain/messages/side";
import { onceboard } from "./onceboard";

/** Messages of both sides that ran out of attempts; `error_fingerprint` groups them. The message row itself stays. */
export const deadLetters = onceboard.table(
  "dead_letters",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    side: text("side").$type<MessageSide>().notNull(),
    messageRowId: uuid("message_row_id").notNull(),
    place: text("place").notNull(),
    type: text("type").notNull(),
    operationId: uuid("operation_id"),
    errorFingerprint: text("error_fingerprint").notNull(),
    errorCode: text("error_code").notNull(),
    error: text("error").notNull(),
    attempts: integer("attempts").notNull(),
    deadAt: timestamp("dead_at", { withTimezone: true }).notNull(),
    settledAt: timestamp("settled_at", { withTimezone: true }),
    settledBy: text("settled_by"),
    /** `requeued`, `closed` (the other side holds it already), `discarded`, or `corrected` (another message was sent in its place). */
    settlement: text("settlement").$type<DeadLetterSettlement>(),
    reason: text("reason"),
    /** The message that was sent in its place. */
    correctedBy: uuid("corrected_by"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // One open dead letter per message; a requeued message may die again.
    uniqueIndex("dead_letters_open")
      .on(table.tenantId, table.side, table.messageRowId)
      .where(sql`settled_at is null`),
    index("dead_letters_dead").on(table.tenantId, table.deadAt),
    index("dead_letters_group").on(table.tenantId, table.errorFingerprint, table.deadAt),
    index("dead_letters_message").on(table.tenantId, table.messageRowId),
    check("dead_letters_side", sql`${table.side} in ('outbox', 'inbox')`),
    check("dead_letters_settlement", sql`${table.settlement} in ('requeued', 'closed', 'discarded', 'corrected')`),
    check(
      "dead_letters_corrected",
      sql`(${table.settlement} is not distinct from 'corrected') = (${table.correctedBy} is not null)`,
    ),
    check("dead_letters_settled", sql`(${table.settledAt} is null) = (${table.settlement} is null)`),
  ],
);
