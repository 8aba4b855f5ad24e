import { sql } from "drizzle-orm";
import {
  bigint,
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
import type { CanaryAnswer, CanaryState } from "@/domain/plans/canary";
import type { LookUpAnswer, LookUpState } from "@/domain/plans/look-ups";
import type { PlanItemState, PlanKindName, PlanState } from "@/domain/plans/plan";
import type { ChangedPath } from "@/domain/messages/correction";
import { bytea, onceboard } from "./onceboard";

/** Bulk work with its filter frozen: looked at first, then run by the worker, row by row. */
export const plans = onceboard.table(
  "plans",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    /** What it does to a row, e.g. `requeue_dead_letters`. */
    kind: text("kind").$type<PlanKindName>().notNull(),
    state: text("state").$type<PlanState>().notNull(),
    /** As it was when the plan was made; never read again afterwards. */
    filter: jsonb("filter").$type<Readonly<Record<string, unknown>>>().notNull(),
    reason: text("reason").notNull(),
    total: integer("total").notNull(),
    /** What the rows that would act are worth, by currency: `[{currency, minor}]`, minor units as text. */
    amounts: jsonb("amounts")
      .$type<readonly { readonly currency: string; readonly minor: string }[]>()
      .notNull()
      .default([]),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    createdBy: text("created_by").notNull(),
    /** Set when money or size asks for a second person; the requester cannot be that. */
    approvalNeeded: text("approval_needed"),
    decidedAt: timestamp("decided_at", { withTimezone: true }),
    decidedBy: text("decided_by"),
    decisionReason: text("decision_reason"),
    startedAt: timestamp("started_at", { withTimezone: true }),
    startedBy: text("started_by"),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    endedBy: text("ended_by"),
    owner: text("owner"),
    fence: integer("fence").notNull().default(0),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
    /** Whether its dry run asks the provider; null: its rows are not looked up. */
    lookUps: text("look_ups").$type<LookUpState>(),
    /** When a worker first took the look-ups up; their whole time counts from there. */
    lookUpsBeganAt: timestamp("look_ups_began_at", { withTimezone: true }),
    lookUpsEndedAt: timestamp("look_ups_ended_at", { withTimezone: true }),
    /** Whether canaries go before the rest of its rows, and what became of them; null: none do. */
    canary: text("canary").$type<CanaryState>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index("plans_running")
      .on(table.tenantId, table.startedAt)
      .where(sql`state = 'running'`),
    index("plans_created").on(table.tenantId, table.createdAt, table.id),
    index("plans_asking")
      .on(table.tenantId, table.createdAt)
      .where(sql`look_ups = 'asking'`),
    check("plans_canary", sql`${table.canary} in ('due', 'true', 'failed')`),
    check("plans_look_ups", sql`${table.lookUps} in ('asking', 'asked', 'stopped')`),
    check(
      "plans_state",
      sql`${table.state} in ('ready', 'awaiting_approval', 'rejected', 'running', 'aborted', 'done')`,
    ),
  ],
);

/** One row of a plan, its verdict at the dry run and what became of it. */
export const planItems = onceboard.table(
  "plan_items",
  {
    tenantId: text("tenant_id").notNull(),
    planId: uuid("plan_id").notNull(),
    position: integer("position").notNull(),
    /** Of what it acts on, e.g. the dead letter. */
    targetId: uuid("target_id").notNull(),
    /** What a person recognises it by; never a payload. */
    label: jsonb("label").$type<Readonly<Record<string, string>>>().notNull(),
    /** At the dry run; judged again before it acts. */
    verdict: text("verdict").notNull(),
    verdictReason: text("verdict_reason").notNull(),
    /** Minor units of `currency`, where the row stands for money. */
    amountMinor: bigint("amount_minor", { mode: "bigint" }),
    currency: text("currency"),
    state: text("state").$type<PlanItemState>().notNull().default("waiting"),
    outcome: text("outcome"),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    /** What its provider said before the plan ran; null: this plan looks nothing up. */
    lookUp: text("look_up").$type<LookUpAnswer>(),
    /** The provider's own answer, or why it was not asked. */
    lookUpDetail: text("look_up_detail"),
    lookedUpAt: timestamp("looked_up_at", { withTimezone: true }),
    /** When it was let go before the others, and what came of it. */
    canaryAt: timestamp("canary_at", { withTimezone: true }),
    canaryAnswer: text("canary_answer").$type<CanaryAnswer>(),
    canaryDetail: text("canary_detail"),
    canaryAnsweredAt: timestamp("canary_answered_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.planId, table.position] }),
    index("plan_items_waiting")
      .on(table.tenantId, table.planId, table.position)
      .where(sql`state = 'waiting'`),
    index("plan_items_unasked")
      .on(table.tenantId, table.planId, table.position)
      .where(sql`look_up = 'waiting'`),
    check("plan_items_canary", sql`${table.canaryAnswer} in ('delivered', 'died', 'silent')`),
    check(
      "plan_items_look_up",
      sql`${table.lookUp} in ('completes', 'fails', 'frees', 'unknown', 'not_asked', 'waiting')`,
    ),
    index("plan_items_target").on(table.tenantId, table.targetId),
    check("plan_items_state", sql`${table.state} in ('waiting', 'done', 'skipped', 'failed')`),
  ],
);

/** What somebody did one by one a short while ago: it counts towards the threshold from which a second person is asked. Only keep_single_act() writes it. */
export const singleActs = onceboard.table(
  "single_acts",
  {
    tenantId: text("tenant_id").notNull(),
    id: bigint("id", { mode: "bigint" }).generatedAlwaysAsIdentity(),
    /** As a plan of it would be. */
    kind: text("kind").notNull(),
    /** `kind:id`. */
    actor: text("actor").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /** Minor units of `currency`, where it stands for money. */
    amountMinor: bigint("amount_minor", { mode: "bigint" }),
    currency: text("currency"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index("single_acts_at").on(table.tenantId, table.kind, table.at),
  ],
);

/**
 * What a plan would send in place of a dead message. The body is sealed as those of operations are, and gone once the plan has ended; the
 * paths that differ stay. The row goes with its plan.
 */
export const messageCorrections = onceboard.table(
  "message_corrections",
  {
    tenantId: text("tenant_id").notNull(),
    planId: uuid("plan_id").notNull(),
    /** Of the outbox: the dead one. */
    messageId: uuid("message_id").notNull(),
    deadLetterId: uuid("dead_letter_id").notNull(),
    /** Missing once the plan has ended. */
    body: bytea("body"),
    bytes: integer("bytes").notNull(),
    /** Where both bodies differ: `[{path, kind}]`, never a value. */
    changes: jsonb("changes").$type<readonly ChangedPath[]>().notNull(),
    /** What was sent in its place. */
    newMessageId: uuid("new_message_id"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.planId] }),
    // One correction of a message waits at a time.
    uniqueIndex("message_corrections_waiting")
      .on(table.tenantId, table.messageId)
      .where(sql`body is not null`),
  ],
);
