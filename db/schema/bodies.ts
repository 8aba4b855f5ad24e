import { sql } from "drizzle-orm";
import { check, date, index, integer, jsonb, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
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
  (table) => [
    primaryKey({ columns: [table.tenantId, table.day, table.operationId, table.kind] }),
    // Retention asks which of yesterday's bodies are past their time: they lie together, and most of them are not.
    index("idempotency_bodies_created").using("brin", table.createdAt),
  ],
);

/**
 * Keys that are themselves encrypted: one for the bodies of a tenant's day, one for the fingerprints of a tenant (its day is the
 * epoch). A body key is wrapped by the key store's key of its period and around that by an entry of ENCRYPTION_KEYS; without a
 * key store by the entry alone. It is destroyed by emptying `wrapped`: the row stays, so that nobody makes a new key for that day
 * and the destruction is on record. Copies of the row (a dump, a log) end with the key store's key, and without one they do not.
 */
export const dataKeys = onceboard.table(
  "data_keys",
  {
    tenantId: text("tenant_id").notNull(),
    purpose: text("purpose").notNull(),
    day: date("day").notNull(),
    /** Which entry of ENCRYPTION_KEYS wraps it. */
    wrappedBy: text("wrapped_by").notNull(),
    wrapped: bytea("wrapped"),
    /** Id of the key store whose key of the period is needed too; null: none. */
    keyStore: text("key_store"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    destroyedAt: timestamp("destroyed_at", { withTimezone: true }),
    /** When the key store said that its key of the period is gone. */
    storeDestroyedAt: timestamp("store_destroyed_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.purpose, table.day] }),
    check("data_keys_purpose", sql`${table.purpose} in ('body', 'fingerprint')`),
    check("data_keys_destroyed", sql`(${table.wrapped} is null) = (${table.destroyedAt} is not null)`),
  ],
);
