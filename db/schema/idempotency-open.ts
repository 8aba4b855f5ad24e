import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { STAGES, type Stage } from "@/domain/idempotency/states";
import { onceboard } from "./onceboard";

const stages = sql.raw(STAGES.map((stage) => `'${stage}'`).join(", "));

/**
 * One row per operation that is not settled: in progress or unknown. Small, so attention pages and recovery scan only
 * what is open. `locked_until` null means: no owner (unknown, waiting for a look-up at next_check_at or for a person).
 */
export const idempotencyOpen = onceboard.table(
  "idempotency_open",
  {
    tenantId: text("tenant_id").notNull(),
    operationId: uuid("operation_id").notNull(),
    operation: text("operation").notNull(),
    key: text("key").notNull(),
    owner: text("owner"),
    fence: integer("fence").notNull(),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
    stage: text("stage").$type<Stage>().notNull().default("RECEIVED"),
    providerKey: text("provider_key"),
    openedAt: timestamp("opened_at", { withTimezone: true }).notNull(),
    unknownSince: timestamp("unknown_since", { withTimezone: true }),
    nextCheckAt: timestamp("next_check_at", { withTimezone: true }),
    checks: integer("checks").notNull().default(0),
    lastFinding: text("last_finding"),
    /** `kind:id` of who looks after it; older ones have a name. */
    assignedTo: text("assigned_to"),
    /** What an operator asks of its service (table operator_requests), while that is open. */
    requestId: uuid("request_id"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.operationId] }),
    index("idempotency_open_due").on(table.tenantId, table.nextCheckAt),
    index("idempotency_open_locked").on(table.tenantId, table.lockedUntil),
    check("idempotency_open_stage", sql`${table.stage} in (${stages})`),
  ],
);
