import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { OperationState } from "@/domain/idempotency/states";
import type { OperatorAction } from "@/domain/operation-kind";
import { onceboard } from "./onceboard";

/**
 * What an operator asks a service in another language to do with an operation of its own: the console records it, the service takes it
 * (claim_recovery) and settles. An open one is named by its operation's row of `idempotency_open`, so there is one at the most.
 */
export const operatorRequests = onceboard.table(
  "operator_requests",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    operationId: uuid("operation_id").notNull(),
    operation: text("operation").notNull(),
    /** Name of the service: the owner of the operation's kind. */
    service: text("service").notNull(),
    action: text("action").$type<OperatorAction>().notNull(),
    /** Of a resolve: what the person decided. */
    outcome: text("outcome").$type<"succeeded" | "failed">(),
    providerReference: text("provider_reference"),
    /** Names of webhook, look-up or document. */
    evidence: text("evidence")
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    reason: text("reason"),
    /** `kind:id` of the person, and what they were called then. */
    askedBy: text("asked_by").notNull(),
    person: text("person").notNull(),
    askedAt: timestamp("asked_at", { withTimezone: true }).notNull(),
    /** Instance of the service that took it last, under which fence, and what state it found. */
    takenBy: text("taken_by"),
    takenAt: timestamp("taken_at", { withTimezone: true }),
    fence: integer("fence"),
    foundState: text("found_state").$type<OperationState>(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    /** `settled`: by who took it; `overtaken`: the operation was settled without it. */
    ended: text("ended").$type<"settled" | "overtaken" | "withdrawn">(),
    /** State of the operation when it ended. */
    result: text("result").$type<OperationState>(),
    /** What the service found where that settled nothing. */
    finding: text("finding"),
    /** Who withdrew it. */
    withdrawnBy: text("withdrawn_by"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index("operator_requests_operation").on(table.tenantId, table.operationId, table.askedAt),
    index("operator_requests_open")
      .on(table.tenantId, table.askedAt)
      .where(sql`ended_at is null`),
    check("operator_requests_action", sql`${table.action} in ('reconcile', 'resolve', 'release')`),
    check("operator_requests_outcome", sql`(${table.action} = 'resolve') = (${table.outcome} is not null)`),
    check("operator_requests_decision", sql`${table.outcome} in ('succeeded', 'failed')`),
    check("operator_requests_ended", sql`${table.ended} in ('settled', 'overtaken', 'withdrawn')`),
    check("operator_requests_end", sql`(${table.ended} is null) = (${table.endedAt} is null)`),
  ],
);
