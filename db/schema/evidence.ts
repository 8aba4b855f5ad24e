import { bigint, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/**
 * Two views over what modules and services registered (db/evidence/compose_evidence.sql), here as tables so that statements
 * name their columns like any others. They are not in ./index, which lists what migrations make.
 *
 * An id is a uuid or a text in the relation behind it. `…AsUuid` and `…AsText` are the same value in that type, null where it
 * is of the other: a condition on one of them reaches the index. `id` itself is for showing.
 */
export const effects = onceboard.table("effects", {
  tenantId: text("tenant_id").notNull(),
  operationId: uuid("operation_id").notNull(),
  /** As `expects.effect.kind` of its operation's kind. */
  kind: text("kind").notNull(),
  id: text("id").notNull(),
  idAsUuid: uuid("id_as_uuid"),
  idAsText: text("id_as_text"),
  /** `pending`, `failed`, or what stands: `succeeded`, or the module's own word for it. None: it is there or it is not. */
  status: text("status"),
  account: text("account"),
  /** Of the business, such as a merchant's reference. */
  reference: text("reference"),
  /** The effect that it is about, such as a refund's payment. */
  belongsTo: text("belongs_to"),
  belongsToAsUuid: uuid("belongs_to_as_uuid"),
  belongsToAsText: text("belongs_to_as_text"),
  /** None, of an effect that belongs to another: all of that one. */
  amountMinor: bigint("amount_minor", { mode: "bigint" }),
  currency: text("currency"),
  /** What the module counts as given back or kept for that, by the effects that belong to it. None: it does not count. */
  returnedMinor: bigint("returned_minor", { mode: "bigint" }),
  providerKey: text("provider_key"),
  providerReference: text("provider_reference"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

/** What was posted: each row moves an amount from one account to another. */
export const entries = onceboard.table("entries", {
  tenantId: text("tenant_id").notNull(),
  operationId: uuid("operation_id").notNull(),
  id: text("id").notNull(),
  idAsUuid: uuid("id_as_uuid"),
  idAsText: text("id_as_text"),
  /** As `expects.entry` of its operation's kind. */
  kind: text("kind").notNull(),
  /** The effect that it posts. */
  sourceId: text("source_id"),
  sourceIdAsUuid: uuid("source_id_as_uuid"),
  sourceIdAsText: text("source_id_as_text"),
  debitAccount: text("debit_account").notNull(),
  creditAccount: text("credit_account").notNull(),
  amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
  currency: text("currency").notNull(),
  postedAt: timestamp("posted_at", { withTimezone: true }).notNull(),
});
