import { sql } from "drizzle-orm";
import { date, index, integer, jsonb, primaryKey, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import { bytea, onceboard } from "./onceboard";

/**
 * Events with which an operation became unknown, as the roll-up counts them (db/metrics/metric_rows.sql): its caller was answered so, or
 * recovery found it. Text, so that the planner sees the condition of the index.
 */
export const BECAME_UNKNOWN = sql.raw(
  "((type = 'unknown' and code = 'dependency.timeout') or (type = 'reconciled' and detail ->> 'from' = 'IN_PROGRESS' and detail ->> 'to' = 'UNKNOWN_REQUIRES_RECOVERY'))",
);

/**
 * What happened to an operation, append only, by day. `type` is a past participle (claimed, executed, replayed, conflict …);
 * `outcome` is filled for events that answer a request (domain/idempotency/states ANSWER_OUTCOMES) and feeds the roll-ups.
 */
export const idempotencyEvents = onceboard.table(
  "idempotency_events",
  {
    tenantId: text("tenant_id").notNull(),
    day: date("day").notNull(),
    id: uuid("id").notNull(),
    operationId: uuid("operation_id").notNull(),
    operation: text("operation").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    type: text("type").notNull(),
    outcome: text("outcome").$type<AnswerOutcome>(),
    requestId: text("request_id"),
    client: text("client"),
    actor: text("actor"),
    fence: integer("fence"),
    attempt: integer("attempt"),
    delayMs: integer("delay_ms"),
    latencyMs: integer("latency_ms"),
    status: smallint("status"),
    code: text("code"),
    servedHash: bytea("served_hash"),
    command: bytea("command"),
    detail: jsonb("detail").$type<Readonly<Record<string, unknown>>>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.day, table.id] }),
    // The detail page: every event of one operation.
    index("idempotency_events_operation").on(table.tenantId, table.operationId, table.at),
    // Roll-ups read one closed minute at a time.
    index("idempotency_events_at").using("brin", table.at),
    // The conflicts page, newest first.
    index("idempotency_events_conflict")
      .on(table.tenantId, table.at, table.id)
      .where(sql`type = 'conflict'`),
    // What became unknown in a time, among many more answers.
    index("idempotency_events_became_unknown").on(table.tenantId, table.at).where(BECAME_UNKNOWN),
  ],
);
