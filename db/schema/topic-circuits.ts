import { boolean, integer, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/**
 * Failures in a row of topics that have a circuit: merchants' endpoints. No row: the last delivery worked. While `openedAt` is set
 * only one message is sent at a time, the canary, each time that it is due.
 */
export const topicCircuits = onceboard.table(
  "topic_circuits",
  {
    tenantId: text("tenant_id").notNull(),
    topic: text("topic").notNull(),
    failures: integer("failures").notNull(),
    openedAt: timestamp("opened_at", { withTimezone: true }),
    /** Canaries that failed. */
    canaries: integer("canaries").notNull().default(0),
    /** When the next one is due; while one is under way, the end of its lease. */
    canaryAt: timestamp("canary_at", { withTimezone: true }),
    /** One is under way. */
    canaryOut: boolean("canary_out").notNull().default(false),
    lastError: text("last_error"),
    lastErrorCode: text("last_error_code"),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.topic] })],
);
