import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { callRows } from "@/db/named-call";
import { afterCursor, inWindow, orderOf, type PageRequest, type Sort } from "@/db/paging";
import { pick, rowsOf, same, select, type RowOf } from "@/db/query";
import { auditEntries, operators } from "@/db/schema";
import type { AuditFilters } from "@/domain/lists/filters";

const a = alias(auditEntries, "a");
const u = alias(operators, "u");

/** Of a person who still has an account. The name is kept in the entry; the address is looked up, for two people may share a name. */
function emailOf(kind: PgColumn, id: PgColumn): SQL<string | null> {
  const person = select({ email: u.email })
    .from(u)
    .where(and(sql`${kind} = 'operator'`, eq(u.id, id)));
  return sql`${person}`;
}
const ACTOR_EMAIL = emailOf(a.actorKind, a.actorId);
const FIELDS = {
  ...pick(a, "id", "at", "actorKind", "actorName", "action", "subjectType", "subjectId", "reason"),
  sequence: sql<string>`${a.sequence}::text`,
  actorEmail: ACTOR_EMAIL,
  subjectEmail: emailOf(a.subjectType, a.subjectId),
};

/** The chain has no holes and its sequence is unique: it is the sort and its own tie-breaker. */
export const AUDIT_SORT: Sort = { value: a.at, type: "timestamptz", id: a.sequence, idType: "bigint" };

export type AuditDbRow = RowOf<typeof selectAudit>;

export async function selectAudit(q: Queryable, tenantId: string, filters: AuditFilters, page: PageRequest) {
  const { action, actor, id, subjectId, subjectType } = filters;
  const query = select(FIELDS)
    .from(a)
    .where(
      and(
        eq(a.tenantId, tenantId),
        same(a.action, action),
        actor === undefined ? undefined : sql`${actor} in (${a.actorName}, ${ACTOR_EMAIL})`,
        same(a.subjectType, subjectType),
        same(a.subjectId, subjectId),
        id === undefined ? undefined : sql`${id} in (${a.id}::text, ${a.subjectId}, ${a.requestId})`,
        inWindow(a.at, filters),
        afterCursor(AUDIT_SORT, page),
      ),
    )
    .orderBy(...orderOf(AUDIT_SORT, page))
    .limit(page.limit + 1);
  return rowsOf(q, query);
}

const OF_SUBJECT = 50;

/** Newest entries about one subject. */
export async function selectAuditOfSubject(
  q: Queryable,
  tenantId: string,
  subjectType: string,
  subjectId: string,
): Promise<AuditDbRow[]> {
  const its = and(eq(a.tenantId, tenantId), eq(a.subjectType, subjectType), eq(a.subjectId, subjectId));
  return rowsOf(q, select(FIELDS).from(a).where(its).orderBy(desc(a.sequence)).limit(OF_SUBJECT));
}

const ENTRY_FIELDS = {
  ...FIELDS,
  ...pick(a, "actorId", "before", "after", "evidence", "requestId", "previousHash", "hash"),
};

export type AuditEntryRow = RowOf<typeof selectAuditEntry>;

export async function selectAuditEntry(q: Queryable, tenantId: string, id: string) {
  const its = and(eq(a.tenantId, tenantId), eq(a.id, id));
  return (await rowsOf(q, select(ENTRY_FIELDS).from(a).where(its))).at(0);
}

export interface AuditPartRow {
  /** First entry that does not fit; null: all of the part do. */
  readonly broken_at: bigint | null;
  readonly reason: string | null;
  /** Last entry that was checked. */
  readonly checked_to: bigint;
  /** Last entry of the chain, as its head says; null: there is none. */
  readonly head: bigint | null;
}

/** Checks the links of `limit` entries from one on. */
export async function verifyAuditPart(
  q: Queryable,
  tenant: string,
  from: bigint,
  limit: number,
): Promise<AuditPartRow> {
  const [part] = await callRows<AuditPartRow>(q, "verify_audit_part", { tenant, from, limit });
  return part ?? { broken_at: null, reason: null, checked_to: from - 1n, head: null };
}

/** @returns the id of the entry of this number, undefined when it is gone */
export async function selectAuditIdAt(q: Queryable, tenantId: string, sequence: bigint): Promise<string | undefined> {
  const { rows } = await q.query<{ id: string }>({
    text: "select a.id from onceboard.audit_entries a where a.tenant_id = $1 and a.sequence = $2",
    values: [tenantId, sequence],
  });
  return rows[0]?.id;
}
