import { index, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea, onceboard } from "./onceboard";

/** A program that calls the API, the principal of its keys: the name that pages show, and what its first key opened. */
export const apiClients = onceboard.table(
  "api_clients",
  {
    tenantId: text("tenant_id").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    scopes: text("scopes").array().notNull(),
    profile: text("profile").notNull().default("problem"),
    /** Whom to write to about its conflicts. */
    contact: text("contact"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("api_clients_name").on(table.tenantId, table.name),
  ],
);

/** Stored as SHA-256 of 32 random bytes: high entropy needs no slow hash. `id` is the public part of the key. */
export const apiKeys = onceboard.table(
  "api_keys",
  {
    tenantId: text("tenant_id").notNull(),
    id: text("id").notNull(),
    clientId: text("client_id").notNull(),
    secretHash: bytea("secret_hash").notNull(),
    /** The key, not the client, fixes what it opens and how answers look: two keys of one till may differ. */
    scopes: text("scopes").array().notNull(),
    profile: text("profile").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    /** `kind:id` of who made it, and so saw it; older ones have a name. Null: from the command line. */
    createdBy: text("created_by"),
    /** Operator id of the person who has a key of the command line, which names nobody by itself. */
    holder: text("holder"),
    /** Set when it is rotated: until then the old one and the new one both open. */
    expiresAt: timestamp("expires_at", { withTimezone: true }),
    /** To the minute, written off the request's path. */
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }),
    revokedBy: text("revoked_by"),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.id] }), index("api_keys_client").on(table.tenantId, table.clientId)],
);

/** Who may send events here, by signature. Several secrets overlap while one is rotated. */
export const eventSources = onceboard.table(
  "event_sources",
  {
    tenantId: text("tenant_id").notNull(),
    source: text("source").notNull(),
    secretId: text("secret_id").notNull(),
    /** Encrypted with ENCRYPTION_KEYS, `whsec_…` inside. */
    secret: bytea("secret").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp("expires_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.source, table.secretId] }),
    index("event_sources_source").on(table.source),
  ],
);
