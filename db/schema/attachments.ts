import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { ATTACHED_ACTS, type AttachedAct } from "@/domain/attachments/acts";
import { bytea, checkWords, onceboard } from "./onceboard";

/** A database that a team already has, and that a tenant's people look at. What was removed stays as a name in the history. */
export const attachments = onceboard.table(
  "attachments",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    /** In addresses and menus: `orders-db`. */
    name: text("name").notNull(),
    /** The address with its password, encrypted with ENCRYPTION_KEYS; nothing once it is removed. */
    sealed: bytea("sealed"),
    /** Of it, what may be seen: host, port and database. */
    shown: text("shown").notNull(),
    /** The schema that its owner installed. */
    installedAs: text("installed_as").notNull(),
    preset: text("preset").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    createdBy: text("created_by").notNull(),
    removedAt: timestamp("removed_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("attachments_name")
      .on(table.tenantId, table.name)
      .where(sql`removed_at is null`),
    check("attachments_sealed", sql`(${table.sealed} is null) = (${table.removedAt} is not null)`),
  ],
);

/** What an operation is to change in an attached database, and what its function returned. */
export const attachedActs = onceboard.table(
  "attached_acts",
  {
    tenantId: text("tenant_id").notNull(),
    operationId: uuid("operation_id").notNull(),
    attachmentId: uuid("attachment_id").notNull(),
    act: text("act").$type<AttachedAct>().notNull(),
    /** The id of a row; none of a purge. */
    target: text("target"),
    /** Of a purge: rows from before, and at most so many. */
    before: timestamp("before", { withTimezone: true }),
    most: integer("most"),
    /** Of the claim that may call: an owner who lost it commits nothing. */
    fence: integer("fence").notNull(),
    preparedAt: timestamp("prepared_at", { withTimezone: true }).notNull().defaultNow(),
    answeredAt: timestamp("answered_at", { withTimezone: true }),
    /**
     * Transaction of theirs in which the function ran, kept before it was committed; pg_xact_status() says what became of it. `none`: somebody
     * asked before, and nothing may be committed any more.
     */
    xid: text("xid"),
    /** Rows that the function said it changed, kept with the transaction. */
    changed: integer("changed"),
    /** Of one row: what it was and what it is, as the function said. */
    was: text("was"),
    isNow: text("is_now"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.operationId] }),
    index("attached_acts_newest").on(table.tenantId, table.attachmentId, table.preparedAt),
    check("attached_acts_act", sql`${table.act} in (${checkWords(ATTACHED_ACTS)})`),
    check("attached_acts_target", sql`(${table.act} = 'purge') = (${table.target} is null)`),
  ],
);

/** Sizes of an attached database's lists, sampled by the worker from the time of attaching. */
export const attachedSamples = onceboard.table(
  "attached_samples",
  {
    tenantId: text("tenant_id").notNull(),
    attachmentId: uuid("attachment_id").notNull(),
    /** `<view>:<state>`. */
    measure: text("measure").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    value: bigint("value", { mode: "bigint" }).notNull(),
    /** Counting stopped there. */
    atLeast: boolean("at_least").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.attachmentId, table.measure, table.at] })],
);
