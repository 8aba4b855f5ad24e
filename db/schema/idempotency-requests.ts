import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { OPERATION_STATES, type OperationState } from "@/domain/idempotency/states";
import { bytea, onceboard } from "./onceboard";

const states = sql.raw(OPERATION_STATES.map((state) => `'${state}'`).join(", "));

/**
 * One row per (tenant, operation, key): the claim. Narrow and hot: completion changes no indexed column, so
 * every update stays HOT (fillfactor 70 leaves it room). Bodies live in idempotency_bodies, open work in idempotency_open.
 */
export const idempotencyRequests = onceboard.table(
  "idempotency_requests",
  {
    tenantId: text("tenant_id").notNull(),
    operation: text("operation").notNull(),
    key: text("key").notNull(),
    operationId: uuid("operation_id").notNull(),
    principal: text("principal").notNull(),
    fingerprint: bytea("fingerprint").notNull(),
    fingerprintVersion: smallint("fingerprint_version").notNull(),
    apiVersion: text("api_version").notNull(),
    // SHA-256 of key, function and version, as the mesh names what it keeps; null where no function of the mesh runs the operation.
    identityHash: bytea("identity_hash"),
    state: text("state").$type<OperationState>().notNull(),
    fence: integer("fence").notNull().default(1),
    attempts: integer("attempts").notNull().default(1),
    responseStatus: smallint("response_status"),
    responseSchemaVersion: text("response_schema_version"),
    resourceType: text("resource_type"),
    resourceId: text("resource_id"),
    errorCode: text("error_code"),
    // Where a replay finds its answer: the stored bytes, the resource as it is now, or nowhere (too large to keep).
    replay: text("replay").$type<"stored" | "reference" | "none">().notNull().default("stored"),
    bodyDay: date("body_day").notNull(),
    bodyPurgedAt: timestamp("body_purged_at", { withTimezone: true }),
    // What the command is about, for lists and the attention queue. Never the whole command.
    accountId: text("account_id"),
    reference: text("reference"),
    amountMinor: bigint("amount_minor", { mode: "bigint" }),
    currency: text("currency"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
    completedAt: timestamp("completed_at", { withTimezone: true }),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    purgeAfter: timestamp("purge_after", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.operation, table.key] }),
    // Look-up by id from every page and from the outbox; set once at claim.
    uniqueIndex("idempotency_requests_operation_id").on(table.tenantId, table.operationId),
    // The list, newest first, and its keyset cursor; set once at claim.
    index("idempotency_requests_created").on(table.tenantId, table.createdAt, table.operationId),
    // Retention walks this in small batches; a list by expiry skips in it what its time window leaves out. Set once at claim.
    index("idempotency_requests_expires").on(table.tenantId, table.expiresAt, table.operationId, table.createdAt),
    // Everything of one account, newest first; set once at claim.
    index("idempotency_requests_account")
      .on(table.tenantId, table.accountId, table.createdAt, table.operationId)
      .where(sql`account_id is not null`),
    // The find box and the list: a merchant's reference, also of what was refused, or the payment that a refund is about.
    index("idempotency_requests_reference")
      .on(table.tenantId, table.reference, table.createdAt)
      .where(sql`reference is not null`),
    // Exact look-up of a key in the find box without knowing its operation.
    index("idempotency_requests_key").on(table.tenantId, table.key),
    // An amount in the find box, newest first; set once at claim.
    index("idempotency_requests_amount")
      .on(table.tenantId, table.amountMinor, table.createdAt)
      .where(sql`amount_minor is not null`),
    check("idempotency_requests_state", sql`${table.state} in (${states})`),
    check("idempotency_requests_replay", sql`${table.replay} in ('stored', 'reference', 'none')`),
    // Callers have 255; the rest is the mark of an expired one that made room for a new command.
    check("idempotency_requests_key_length", sql`length(${table.key}) between 1 and 320`),
  ],
);
