import { index, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea, onceboard } from "./onceboard";

/** Where a merchant wants our events. Messages for it go through the outbox under the topic `webhook:<id>`. */
export const webhookEndpoints = onceboard.table(
  "webhook_endpoints",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    url: text("url").notNull(),
    /** Types of events; empty: all. */
    types: text("types").array().notNull(),
    description: text("description").notNull().default(""),
    disabledAt: timestamp("disabled_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("webhook_endpoints_url").on(table.tenantId, table.url),
  ],
);

/** What an endpoint's deliveries are signed with. Two overlap while one is rotated: both signatures are sent. */
export const webhookSecrets = onceboard.table(
  "webhook_secrets",
  {
    tenantId: text("tenant_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    secretId: uuid("secret_id").notNull(),
    /** Encrypted with ENCRYPTION_KEYS, `whsec_…` inside. */
    secret: bytea("secret").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp("expires_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.secretId] }),
    index("webhook_secrets_endpoint").on(table.tenantId, table.endpointId),
  ],
);
