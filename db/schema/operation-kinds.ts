import { sql } from "drizzle-orm";
import { boolean, check, doublePrecision, jsonb, text, timestamp } from "drizzle-orm/pg-core";
import type { KindExpectation, OperatorAction } from "@/domain/operation-kind";
import { onceboard } from "./onceboard";

/**
 * What pages, proofs, permissions and SQL must know of an operation: registered by a module at start, or by a service in
 * another language through register_operation_kind. An operation without a row is shown by its own name.
 */
export const operationKinds = onceboard.table(
  "operation_kinds",
  {
    /** `payments.create`: part of the key's identity. */
    name: text("name").primaryKey(),
    /** Name of the module or of the service. */
    owner: text("owner").notNull(),
    runsIn: text("runs_in").$type<"module" | "service">().notNull(),
    /** "Payment". */
    label: text("label").notNull(),
    /** `POST /payments`; null: it is not reached through our HTTP. */
    route: text("route"),
    path: text("path").$type<"local" | "provider" | "task">().notNull(),
    /** As the journal of provider calls names it; null on the local path. */
    provider: text("provider"),
    /** Hours for which the provider answers a repeated key with the first effect; infinity: as long as it exists. */
    dedupesForHours: doublePrecision("dedupes_for_hours"),
    /** Whether the provider can be asked by our key. */
    queryable: boolean("queryable"),
    /** What an operator may ask for. */
    actions: text("actions")
      .array()
      .$type<OperatorAction[]>()
      .notNull()
      .default(sql`'{}'::text[]`),
    /** What it leaves when it takes effect, and how that is said. */
    expects: jsonb("expects").$type<KindExpectation>().notNull().default({}),
    /** Of the module or the service. */
    version: text("version").notNull().default(""),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    check("operation_kinds_runs_in", sql`${table.runsIn} in ('module', 'service')`),
    check("operation_kinds_path", sql`${table.path} in ('local', 'provider', 'task')`),
    check("operation_kinds_actions", sql`${table.actions} <@ array['reconcile', 'resolve', 'release']`),
    check("operation_kinds_name", sql`char_length(${table.name}) between 1 and 200`),
    check("operation_kinds_label", sql`char_length(${table.label}) between 1 and 60`),
  ],
);
