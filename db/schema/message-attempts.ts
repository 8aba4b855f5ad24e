import { sql } from "drizzle-orm";
import { check, date, index, integer, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { MessageSide } from "@/domain/messages/side";
import { onceboard } from "./onceboard";

/** Attempts of a relay or a consumer that did not succeed, by day; the one that did is on the message itself. */
export const messageAttempts = onceboard.table(
  "message_attempts",
  {
    tenantId: text("tenant_id").notNull(),
    day: date("day").notNull(),
    id: uuid("id").notNull(),
    side: text("side").$type<MessageSide>().notNull(),
    messageRowId: uuid("message_row_id").notNull(),
    /** Topic or consumer. */
    place: text("place").notNull(),
    attempt: integer("attempt").notNull(),
    owner: text("owner"),
    fence: integer("fence").notNull(),
    /** When it was known to have ended; a lost one at the time when somebody took the message over. */
    endedAt: timestamp("ended_at", { withTimezone: true }).notNull(),
    /** `failed`, `dead` (the last one), or `lost`: whoever had it never came back. */
    outcome: text("outcome").$type<"failed" | "dead" | "lost">().notNull(),
    errorCode: text("error_code"),
    error: text("error"),
    errorFingerprint: text("error_fingerprint"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.day, table.id] }),
    index("message_attempts_message").on(table.tenantId, table.messageRowId, table.endedAt),
    index("message_attempts_ended").on(table.tenantId, table.endedAt),
    check("message_attempts_side", sql`${table.side} in ('outbox', 'inbox')`),
    check("message_attempts_outcome", sql`${table.outcome} in ('failed', 'dead', 'lost')`),
  ],
);
