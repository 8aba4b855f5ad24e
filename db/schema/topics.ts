import { sql } from "drizzle-orm";
import { check, integer, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { RouteTransport } from "@/domain/messages/topic-route";
import { onceboard } from "./onceboard";

/** What an operator decided about a topic of the outbox: how it travels, and whether it rests. No row: the defaults. */
export const topics = onceboard.table(
  "topics",
  {
    tenantId: text("tenant_id").notNull(),
    topic: text("topic").notNull(),
    /** Null: as the deployment says (OUTBOX_TRANSPORT). */
    transport: text("transport").$type<RouteTransport>(),
    /** A URL, a subject, an exchange, or a topic of Kafka; null: the transport's own default. */
    destination: text("destination"),
    pausedAt: timestamp("paused_at", { withTimezone: true }),
    pausedBy: text("paused_by"),
    pauseReason: text("pause_reason"),
    version: integer("version").notNull().default(1),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
    updatedBy: text("updated_by").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.topic] }),
    check("topics_transport", sql`${table.transport} in ('http', 'nats', 'rabbitmq', 'kafka')`),
  ],
);
