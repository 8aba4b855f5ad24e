import { and, desc, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { anyOf, rowsOf, select } from "@/db/query";
import { auditEntries, deadLetters, idempotencyRequests } from "@/db/schema";

const r = alias(idempotencyRequests, "r");
const d = alias(deadLetters, "d");
const a = alias(auditEntries, "a");

/** Who ended what a row of a plan is about. */
export interface Settler {
  /** Name of a person or program; undefined: nobody did, the service settled it by itself. */
  readonly by?: string | undefined;
  /** They did it through a plan. */
  readonly byPlan: boolean;
}

/** By id of what was settled. */
export type Settlers = ReadonlyMap<string, Settler>;
const BY_ITSELF: Settler = { byPlan: false };

const ENDINGS = sql.raw(`('operations.resolve', 'operations.reconcile', 'operations.release')`);
const ended = sql`${a.action} in ${ENDINGS} and (${a.after} ->> 'state' = ${r.state} or ${r.state} = 'EXPIRED')`;
/** A purge of what was gone already is in the audit, too. */
const purged = sql`${a.action} = 'operations.purge_body' and ${a.after} ->> 'changed' = 'true'`;

/** The latest entry of the audit that brought an operation into the state it is in, or that deleted its bodies. */
const entry = (which: SQL) =>
  select({
    settler: sql<Settler>`jsonb_build_object('by', coalesce(${a.evidence} ->> 'startedBy', ${a.actorName}), 'byPlan', ${a.evidence} ->> 'planId' is not null)`,
  })
    .from(a)
    .where(
      and(
        eq(a.tenantId, r.tenantId),
        eq(a.subjectType, "operation"),
        eq(a.subjectId, sql`${r.operationId}::text`),
        which,
      ),
    )
    .orderBy(desc(a.sequence))
    .limit(1);

/** Who settled these dead letters; those that are open are left out. A plan is bounded, so this is too. */
export async function settlersOfLetters(q: Queryable, tenantId: string, ids: readonly string[]): Promise<Settlers> {
  if (ids.length === 0) return new Map();
  const query = select({ id: d.id, by: d.settledBy })
    .from(d)
    .where(and(eq(d.tenantId, tenantId), anyOf(d.id, ids), isNotNull(d.settledAt)));
  return new Map((await rowsOf(q, query)).map(({ id, by }) => [id, { by, byPlan: false }]));
}

/**
 * Who settled these operations, or deleted their bodies; those that are open, or whose bodies are kept, are left out. A plan is bounded,
 * so this is too.
 */
export async function settlersOfOperations(
  q: Queryable,
  tenantId: string,
  ids: readonly string[],
  what: "outcome" | "bodies",
): Promise<Settlers> {
  if (ids.length === 0) return new Map();
  const over =
    what === "bodies" ? isNotNull(r.bodyPurgedAt) : sql`${r.state} not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')`;
  const found = sql<Settler | null>`(${entry(what === "bodies" ? purged : ended)})`;
  const query = select({ id: r.operationId, found })
    .from(r)
    .where(and(eq(r.tenantId, tenantId), anyOf(r.operationId, ids), over));
  return new Map((await rowsOf(q, query)).map(({ id, found: settler }) => [id, settler ?? BY_ITSELF]));
}

/** Who let these messages of the outbox be published again, the last one; those that never were are left out. */
export async function settlersOfMessages(q: Queryable, tenantId: string, ids: readonly string[]): Promise<Settlers> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(
    q,
    sql<{ id: string; by: string }>`select m.id, m.republished -> -1 ->> 'by' as by from (
      select id, republished from onceboard.outbox_messages where tenant_id = ${tenantId} and id = any (${sql.param(ids)}::uuid[])
      union all
      select id, republished from onceboard.outbox_history where tenant_id = ${tenantId} and id = any (${sql.param(ids)}::uuid[])) m
      where m.republished is not null`,
    "settlers_of_messages",
  );
  return new Map(rows.map(({ id, by }) => [id, { by, byPlan: false }]));
}
