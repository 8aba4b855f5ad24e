import { integer, jsonb, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** One row per loop and process; a loop that stopped beating is an alarm on the overview. */
export const workerHeartbeats = onceboard.table(
  "worker_heartbeats",
  {
    loop: text("loop").notNull(),
    instance: text("instance").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    intervalMs: integer("interval_ms").notNull(),
    startedAt: timestamp("started_at", { withTimezone: true }).notNull().defaultNow(),
    result: jsonb("result"),
    error: text("error"),
  },
  (table) => [primaryKey({ columns: [table.loop, table.instance] })],
);

/** What the retain loop and operators removed: rows and bytes per run. */
export const retentionRuns = onceboard.table(
  "retention_runs",
  {
    tenantId: text("tenant_id").notNull(),
    id: text("id").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
    actor: text("actor").notNull(),
    kind: text("kind").notNull(),
    rows: integer("rows").notNull(),
    bytes: integer("bytes").notNull(),
    detail: jsonb("detail").$type<Readonly<Record<string, unknown>>>(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);
