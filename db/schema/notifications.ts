import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** A message to a person or a merchant's endpoint, durable before it is sent: its key is unique, so a second delivery of the event adds none. */
export const notifications = onceboard.table(
  "notifications",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    /** Stable identity of the side effect, e.g. `receipt_payment_<id>`. */
    notificationKey: text("notification_key").notNull(),
    /** None: it tells of a change that is no operation, such as another default currency. */
    operationId: uuid("operation_id"),
    kind: text("kind").notNull(),
    detail: jsonb("detail").$type<Readonly<Record<string, string>>>().notNull(),
    state: text("state").$type<"pending" | "sent" | "skipped">().notNull().default("pending"),
    attempts: integer("attempts").notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    sentAt: timestamp("sent_at", { withTimezone: true }),
    /** The outbox message that carries it; publishing that marks this sent. None: there is nobody to send it to. */
    outboxId: uuid("outbox_id"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("notifications_key").on(table.tenantId, table.notificationKey),
    index("notifications_operation").on(table.tenantId, table.operationId),
    index("notifications_outbox").on(table.tenantId, table.outboxId),
    check("notifications_state", sql`${table.state} in ('pending', 'sent', 'skipped')`),
  ],
);
