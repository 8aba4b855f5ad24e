import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

type EffectStatus = "pending" | "succeeded" | "failed";

/** What rows of every effect at the provider have. */
const effectColumns = <Status extends string = EffectStatus>() => ({
  tenantId: text("tenant_id").notNull(),
  id: uuid("id").notNull(),
  operationId: uuid("operation_id").notNull(),
  status: text("status").$type<Status>().notNull(),
  providerKey: text("provider_key").notNull(),
  providerReference: text("provider_reference"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
});

/** The local path's example: opening an account is one transaction. `version` is its ETag. */
export const accounts = onceboard.table(
  "accounts",
  {
    tenantId: text("tenant_id").notNull(),
    id: text("id").notNull(),
    operationId: uuid("operation_id").notNull(),
    currency: text("currency").notNull(),
    defaultCurrency: text("default_currency").notNull(),
    /** Where receipts go; none are sent without it. */
    email: text("email"),
    version: integer("version").notNull().default(1),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);

export const payments = onceboard.table(
  "payments",
  {
    ...effectColumns<EffectStatus | "voided">(),
    accountId: text("account_id").notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
    refundedMinor: bigint("refunded_minor", { mode: "bigint" })
      .notNull()
      .default(sql`0`),
    currency: text("currency").notNull(),
    merchantReference: text("merchant_reference"),
    channel: text("channel").notNull(),
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
    ...effectColumns(),
    paymentId: uuid("payment_id").notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
    currency: text("currency").notNull(),
    reason: text("reason"),
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
    ...effectColumns(),
    paymentId: uuid("payment_id").notNull(),
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

/** One row moves an amount from a debit to a credit account, so the ledger always balances. Unique by its cause. */
export const ledgerEntries = onceboard.table(
  "ledger_entries",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    entryType: text("entry_type").$type<"payment" | "refund" | "void">().notNull(),
    sourceId: uuid("source_id").notNull(),
    operationId: uuid("operation_id").notNull(),
    debitAccount: text("debit_account").notNull(),
    creditAccount: text("credit_account").notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
    currency: text("currency").notNull(),
    postedAt: timestamp("posted_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("ledger_entries_source").on(table.tenantId, table.entryType, table.sourceId),
    index("ledger_entries_operation").on(table.tenantId, table.operationId),
  ],
);

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
