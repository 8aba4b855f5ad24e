import { sql } from "drizzle-orm";
import { bigint, index, integer, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** Journal of calls to the provider: `prepared` → `sent` → `answered`; look-ups are rows of kind `lookup`. */
export const providerRequests = onceboard.table(
  "provider_requests",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    operationId: uuid("operation_id").notNull(),
    providerKey: text("provider_key").notNull(),
    provider: text("provider").notNull(),
    kind: text("kind").notNull(),
    state: text("state").$type<"prepared" | "sent" | "answered">().notNull(),
    fence: integer("fence").notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }),
    currency: text("currency"),
    outcome: text("outcome"),
    providerReference: text("provider_reference"),
    detail: text("detail"),
    preparedAt: timestamp("prepared_at", { withTimezone: true }).notNull().defaultNow(),
    sentAt: timestamp("sent_at", { withTimezone: true }),
    answeredAt: timestamp("answered_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index("provider_requests_operation").on(table.tenantId, table.operationId),
    index("provider_requests_provider_key").on(table.tenantId, table.providerKey),
    // The find box, and the check that no reference of the provider belongs to two operations.
    index("provider_requests_reference")
      .on(table.tenantId, table.providerReference)
      .where(sql`provider_reference is not null`),
  ],
);
