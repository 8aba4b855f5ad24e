import { bigint, index, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** One row moves an amount from a debit to a credit account, so the ledger always balances. Unique by its cause. */
export const ledgerEntries = onceboard.table(
  "ledger_entries",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    entryType: text("entry_type").notNull(),
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
