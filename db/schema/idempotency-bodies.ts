import { date, integer, jsonb, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea, onceboard } from "./onceboard";

/**
 * Encrypted commands and answers, partitioned by day and dropped by day. `kind` is `command` or `response`;
 * nothing is updated here. `key_id` names the entry of ENCRYPTION_KEYS; the ciphertext is bound to tenant and operation.
 */
export const idempotencyBodies = onceboard.table(
  "idempotency_bodies",
  {
    tenantId: text("tenant_id").notNull(),
    day: date("day").notNull(),
    operationId: uuid("operation_id").notNull(),
    kind: text("kind").notNull(),
    fence: integer("fence").notNull().default(1),
    headers: jsonb("headers"),
    body: bytea("body").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.day, table.operationId, table.kind] })],
);
