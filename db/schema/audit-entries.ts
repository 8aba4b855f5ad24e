import { sql } from "drizzle-orm";
import { bigint, index, jsonb, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
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
