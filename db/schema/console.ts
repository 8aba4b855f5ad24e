import {
  boolean,
  date,
  doublePrecision,
  integer,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** A list with its filters, columns and sort under a name, shared by all who see the tenant. */
export const savedViews = onceboard.table(
  "saved_views",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    /** The list, e.g. `operations`. */
    page: text("page").notNull(),
    name: text("name").notNull(),
    /** The query string, without cursor, open row and dialog. */
    search: text("search").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("saved_views_name").on(table.tenantId, table.page, table.name),
  ],
);

/** What a person said of all conflicts of one client and operation: whose fault they are. */
export const conflictMarks = onceboard.table(
  "conflict_marks",
  {
    tenantId: text("tenant_id").notNull(),
    /** The principal of the requests, as events name it. */
    client: text("client").notNull(),
    operation: text("operation").notNull(),
    /** `client_fault` or `ours`. */
    mark: text("mark").notNull(),
    note: text("note").notNull(),
    markedBy: text("marked_by").notNull(),
    markedAt: timestamp("marked_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.client, table.operation] })],
);

/** One run of one invariant; the page shows the last and its history, nobody waits for a check. */
export const invariantChecks = onceboard.table(
  "invariant_checks",
  {
    tenantId: text("tenant_id").notNull(),
    name: text("name").notNull(),
    checkedAt: timestamp("checked_at", { withTimezone: true }).notNull(),
    /** Null: the check did not end in its time. */
    violations: integer("violations"),
    /** There are more than were counted. */
    capped: boolean("capped").notNull().default(false),
    durationMs: integer("duration_ms").notNull(),
    /** Ids of the first violating rows. */
    examples: jsonb("examples").notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.name, table.checkedAt] })],
);

/** Requests that left no operation, by hour: without a key, with a bad one. The report card of a client counts them. Written in batches, off the request's path. */
export const metricRefusals = onceboard.table(
  "metric_refusals",
  {
    tenantId: text("tenant_id").notNull(),
    bucket: timestamp("bucket", { withTimezone: true }).notNull(),
    client: text("client").notNull(),
    code: text("code").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.bucket, table.client, table.code] })],
);

/** How a client uses its keys, by hour, computed from events: reuse distance, retries too fast, keys over other bodies. */
export const metricClients = onceboard.table(
  "metric_clients",
  {
    tenantId: text("tenant_id").notNull(),
    bucket: timestamp("bucket", { withTimezone: true }).notNull(),
    client: text("client").notNull(),
    measure: text("measure").notNull(),
    count: integer("count").notNull(),
    sum: doublePrecision("sum").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.client, table.bucket, table.measure] })],
);

/** Hours of metric_clients added up per day of UTC once it is over: a month of many clients is read in days, its ends in hours. */
export const metricClientDays = onceboard.table(
  "metric_client_days",
  {
    tenantId: text("tenant_id").notNull(),
    day: date("day").notNull(),
    client: text("client").notNull(),
    measure: text("measure").notNull(),
    count: integer("count").notNull(),
    sum: doublePrecision("sum").notNull(),
    /** The highest sum of an hour. */
    top: doublePrecision("top").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.client, table.day, table.measure] })],
);
