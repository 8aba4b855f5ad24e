import { sql } from "drizzle-orm";
import { bigint, index, jsonb, primaryKey, smallint, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea, onceboard } from "./onceboard";

/** What operators did, insert only, one hash chain per tenant: each entry's hash covers the one before it. */
export const auditEntries = onceboard.table(
  "audit_entries",
  {
    tenantId: text("tenant_id").notNull(),
    id: uuid("id").notNull(),
    sequence: bigint("sequence", { mode: "bigint" }).notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    action: text("action").notNull(),
    subjectType: text("subject_type").notNull(),
    subjectId: text("subject_id").notNull(),
    reason: text("reason"),
    before: jsonb("before"),
    after: jsonb("after"),
    evidence: jsonb("evidence"),
    requestId: text("request_id"),
    previousHash: bytea("previous_hash").notNull(),
    hash: bytea("hash").notNull(),
    /** Which rule made the hash (`domain/access/audit-text.ts`); an entry of before has 1. */
    hashVersion: smallint("hash_version").notNull().default(1),
    /** Of the process that wrote it, by a key that the database does not know; null: it had none. */
    keyId: text("key_id"),
    signature: bytea("signature"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex("audit_entries_sequence").on(table.tenantId, table.sequence),
    index("audit_entries_at").on(table.tenantId, table.at),
    // What charts mark: few among many entries.
    index("audit_entries_marks")
      .on(table.tenantId, table.at)
      .where(
        sql`action in ('policies.write', 'topics.pause', 'topics.resume', 'webhook_endpoints.disable', 'webhook_endpoints.enable')`,
      ),
    index("audit_entries_subject").on(table.tenantId, table.subjectType, table.subjectId),
  ],
);

/** The chain's end, locked while an entry is added, so sequences have no holes. */
export const auditHeads = onceboard.table("audit_heads", {
  tenantId: text("tenant_id").primaryKey(),
  sequence: bigint("sequence", { mode: "bigint" }).notNull(),
  hash: bytea("hash").notNull(),
});

/** Copies of signed checkpoints, for pages and for the sinks that are behind. What they are worth is decided by their signatures. */
export const auditCheckpoints = onceboard.table(
  "audit_checkpoints",
  {
    number: bigint("number", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    chain: text("chain").notNull(),
    sequence: bigint("sequence", { mode: "bigint" }).notNull(),
    hash: bytea("hash").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /** The signed statement as it is sent, one line of JSON. */
    line: text("line").notNull(),
  },
  (table) => [index("audit_checkpoints_chain").on(table.chain, table.sequence)],
);

/** How far each place outside of the database has got the checkpoints, and since when it fails. */
export const auditSinks = onceboard.table("audit_sinks", {
  name: text("name").primaryKey(),
  /** Number of the last checkpoint that it has. */
  delivered: bigint("delivered", { mode: "bigint" }).notNull(),
  seenAt: timestamp("seen_at", { withTimezone: true }).notNull(),
  failingSince: timestamp("failing_since", { withTimezone: true }),
  error: text("error"),
});

/** What the last check of each chain against its checkpoints found. */
export const auditChainChecks = onceboard.table("audit_chain_checks", {
  chain: text("chain").primaryKey(),
  checkedAt: timestamp("checked_at", { withTimezone: true }).notNull(),
  checkedTo: bigint("checked_to", { mode: "bigint" }).notNull(),
  /** First entry that does not fit; null: all do. */
  brokenAt: bigint("broken_at", { mode: "bigint" }),
  reason: text("reason"),
  /** The checkpoint that it was held against. */
  checkpoint: bigint("checkpoint", { mode: "bigint" }),
  checkpointAt: timestamp("checkpoint_at", { withTimezone: true }),
});
