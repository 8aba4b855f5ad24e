import { integer, jsonb, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** Who owns keys. A tenant has one home region, which is also where its rows are. */
export const tenants = onceboard.table("tenants", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  homeRegion: text("home_region").notNull().default("local"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  /** Region whose database has its rows since a move, or gets them while it is moved. The rows here are what it had before. */
  movedTo: text("moved_to"),
});

/** What a tenant decided otherwise than the operation's own policy. One row per operation; history is the audit's. */
export const operationPolicies = onceboard.table(
  "operation_policies",
  {
    tenantId: text("tenant_id").notNull(),
    operation: text("operation").notNull(),
    /** Only the fields that differ, as in domain/idempotency/policy. */
    overrides: jsonb("overrides").$type<Readonly<Record<string, unknown>>>().notNull(),
    version: integer("version").notNull().default(1),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
    updatedBy: text("updated_by").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.operation] })],
);
