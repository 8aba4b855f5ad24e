import { sql } from "drizzle-orm";
import { bigint, check, index, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/**
 * A time in which the outcome of an operation was unknown, written as it ends by the function that settles it. One that lasts is in
 * idempotency_open (`unknown_since`), so each moment of the past is in exactly one of both. An operation may have several.
 */
export const settledDoubts = onceboard.table(
  "settled_doubts",
  {
    tenantId: text("tenant_id").notNull(),
    operationId: uuid("operation_id").notNull(),
    operation: text("operation").notNull(),
    since: timestamp("since", { withTimezone: true }).notNull(),
    until: timestamp("until", { withTimezone: true }).notNull(),
    /** As of the request; null where it is not about money. */
    amountMinor: bigint("amount_minor", { mode: "bigint" }),
    currency: text("currency"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.operationId, table.since] }),
    // What was in doubt since a moment ended after it: the chart reads from there.
    index("settled_doubts_until").on(table.tenantId, table.until),
    // A chart of the past: what lasted beyond its end, among all that ended since.
    index("settled_doubts_span").using("gist", sql`tstzrange(since, until)`),
    check("settled_doubts_order", sql`${table.since} <= ${table.until}`),
  ],
);

/** A version of a service that went live, as its pipeline reported it. A mark above charts; it changes nothing. */
export const deploys = onceboard.table(
  "deploys",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    /** When it went live. */
    at: timestamp("at", { withTimezone: true }).notNull(),
    service: text("service").notNull(),
    version: text("version").notNull(),
    link: text("link"),
    /** `kind:id` of who reported it. */
    reportedBy: text("reported_by").notNull(),
    reportedAt: timestamp("reported_at", { withTimezone: true })
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index("deploys_at").on(table.tenantId, table.at),
    check(
      "deploys_lengths",
      sql`length(${table.service}) between 1 and 100 and length(${table.version}) between 1 and 100`,
    ),
  ],
);
