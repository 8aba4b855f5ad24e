import { sql } from "drizzle-orm";
import { bigint, check, index, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

export const payments = onceboard.table(
  "payments",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    operationId: uuid("operation_id").notNull(),
    accountId: text("account_id").notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
    refundedMinor: bigint("refunded_minor", { mode: "bigint" })
      .notNull()
      .default(sql`0`),
    currency: text("currency").notNull(),
    merchantReference: text("merchant_reference"),
    channel: text("channel").notNull(),
    status: text("status").notNull(),
    providerKey: text("provider_key").notNull(),
    providerReference: text("provider_reference"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("payments_operation").on(table.tenantId, table.operationId),
    // The business key catches a new random key for the same act; a declined payment frees its reference.
    uniqueIndex("payments_merchant_reference")
      .on(table.tenantId, table.accountId, table.merchantReference)
      .where(sql`merchant_reference is not null and status <> 'failed'`),
    check("payments_status", sql`${table.status} in ('pending', 'succeeded', 'failed', 'voided')`),
    check("payments_refunded", sql`${table.refundedMinor} between 0 and ${table.amountMinor}`),
  ],
);

export const refunds = onceboard.table(
  "refunds",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    operationId: uuid("operation_id").notNull(),
    paymentId: uuid("payment_id").notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
    currency: text("currency").notNull(),
    reason: text("reason"),
    status: text("status").notNull(),
    providerKey: text("provider_key").notNull(),
    providerReference: text("provider_reference"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("refunds_operation").on(table.tenantId, table.operationId),
    index("refunds_payment").on(table.tenantId, table.paymentId),
    check("refunds_status", sql`${table.status} in ('pending', 'succeeded', 'failed')`),
  ],
);

export const voids = onceboard.table(
  "voids",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    operationId: uuid("operation_id").notNull(),
    paymentId: uuid("payment_id").notNull(),
    status: text("status").notNull(),
    providerKey: text("provider_key").notNull(),
    providerReference: text("provider_reference"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("voids_operation").on(table.tenantId, table.operationId),
    // A payment is voided once, whatever key asked for it.
    uniqueIndex("voids_payment")
      .on(table.tenantId, table.paymentId)
      .where(sql`status <> 'failed'`),
    check("voids_status", sql`${table.status} in ('pending', 'succeeded', 'failed')`),
  ],
);
