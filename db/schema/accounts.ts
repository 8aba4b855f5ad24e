import { integer, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

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
