import { sql } from "drizzle-orm";
import { check, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** Migrations of modules that were applied, each into the schema of its module. */
export const moduleMigrations = onceboard.table(
  "module_migrations",
  {
    module: text("module").notNull(),
    /** Of its file, without `.sql`. */
    name: text("name").notNull(),
    /** SHA-256 of its text, hex. */
    hash: text("hash").notNull(),
    appliedAt: timestamp("applied_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.module, table.name] })],
);

/** Views and tables in which modules and services show what their operations left: see db/evidence/README.md. */
export const evidenceRelations = onceboard.table(
  "evidence_relations",
  {
    /** Name of the module or of the service. */
    owner: text("owner").notNull(),
    holds: text("holds").$type<"effects" | "entries">().notNull(),
    /** `payments.effects`, quoted where SQL needs it. */
    relation: text("relation").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.holds, table.relation] }),
    check("evidence_relations_holds", sql`${table.holds} in ('effects', 'entries')`),
  ],
);

/** Unique indexes by which the tables of modules decide between two writers at the same moment. */
export const evidenceConstraints = onceboard.table(
  "evidence_constraints",
  {
    owner: text("owner").notNull(),
    /** "one payment per operation" */
    name: text("name").notNull(),
    relation: text("relation").notNull(),
    columns: text("columns").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.name] })],
);
