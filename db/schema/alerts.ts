import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
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
import {
  ALERT_CONDITIONS,
  ALERT_DESTINATION_KINDS,
  type AlertCondition,
  type AlertDestinationKind,
} from "@/domain/alerts/rules";
import type { AlertEnd } from "@/domain/alerts/decide";
import { bytea, checkWords, onceboard } from "./onceboard";

/** Where a tenant's alerts go. Messages for it go through the outbox under the topic `alert:<kind>:<id>`. */
export const alertDestinations = onceboard.table(
  "alert_destinations",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    kind: text("kind").$type<AlertDestinationKind>().notNull(),
    name: text("name").notNull(),
    /** An address of a webhook, a routing key or an e-mail address, encrypted with ENCRYPTION_KEYS. */
    sealed: bytea("sealed").notNull(),
    /** Of it, what may be seen. */
    shown: text("shown").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    check("alert_destinations_kind", sql`${table.kind} in (${checkWords(ALERT_DESTINATION_KINDS)})`),
  ],
);

/** What a tenant decided about one condition. No row: the default. */
export const alertRules = onceboard.table(
  "alert_rules",
  {
    tenantId: text("tenant_id").notNull(),
    condition: text("condition").$type<AlertCondition>().notNull(),
    enabled: boolean("enabled").notNull(),
    threshold: bigint("threshold", { mode: "bigint" }).notNull(),
    /** Money in doubt: minor units, as text, by currency. */
    amounts: jsonb("amounts").$type<Readonly<Record<string, string>>>().notNull().default({}),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
    updatedBy: text("updated_by").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.condition] }),
    check("alert_rules_condition", sql`${table.condition} in (${checkWords(ALERT_CONDITIONS)})`),
  ],
);

/** A condition at or over its limit: one row from when it is first found until it has ended, and as history after that. */
export const alerts = onceboard.table(
  "alerts",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    condition: text("condition").$type<AlertCondition>().notNull(),
    subject: text("subject").notNull(),
    /** The highest that was told: 1 from the limit on, 2 from twice the limit on; 0: nobody was told yet. */
    level: integer("level").notNull().default(0),
    value: bigint("value", { mode: "bigint" }).notNull(),
    threshold: bigint("threshold", { mode: "bigint" }).notNull(),
    facts: jsonb("facts").$type<Readonly<Record<string, string>>>().notNull().default({}),
    seenAt: timestamp("seen_at", { withTimezone: true }).notNull(),
    toldAt: timestamp("told_at", { withTimezone: true }),
    clearSince: timestamp("clear_since", { withTimezone: true }),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    endedAs: text("ended_as").$type<AlertEnd>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("alerts_open")
      .on(table.tenantId, table.condition, table.subject)
      .where(sql`ended_at is null`),
    index("alerts_ended").on(table.tenantId, table.endedAt),
    check("alerts_end", sql`(${table.endedAt} is null) = (${table.endedAs} is null)`),
  ],
);

/** When a tenant's alerts were last judged: of two workers that measured at once only one writes and tells. */
export const alertTurns = onceboard.table("alert_turns", {
  tenantId: text("tenant_id").primaryKey(),
  at: timestamp("at", { withTimezone: true }).notNull(),
});
