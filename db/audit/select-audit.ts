import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { afterCursor, descends, inWindow, orderOf, type PageRequest, type Sort } from "@/db/paging";
import { pick, rowsOf, same, select, timeText, type RowOf } from "@/db/query";
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

/** What made an entry: a plan, or else a request. */
const CAUSE = sql<string | null>`coalesce('plan:' || (${a.evidence} ->> 'planId'), 'request:' || ${a.requestId})`;

function narrowed(tenantId: string, filters: AuditFilters, page: PageRequest): SQL | undefined {
  const { action, actor, id, subjectId, subjectType, cause } = filters;
  return and(
    eq(a.tenantId, tenantId),
    same(a.action, action),
    actor === undefined ? undefined : sql`${actor} in (${a.actorName}, ${ACTOR_EMAIL})`,
    same(a.subjectType, subjectType),
    same(a.subjectId, subjectId),
    id === undefined ? undefined : sql`${id} in (${a.id}::text, ${a.subjectId}, ${a.requestId})`,
    cause === undefined ? undefined : sql`${CAUSE} = ${cause}`,
    inWindow(a.at, filters),
    afterCursor(AUDIT_SORT, page),
  );
}

export async function selectAudit(q: Queryable, tenantId: string, filters: AuditFilters, page: PageRequest) {
  const query = select(FIELDS)
    .from(a)
    .where(narrowed(tenantId, filters, page))
    .orderBy(...orderOf(AUDIT_SORT, page))
    .limit(page.limit + 1);
  return rowsOf(q, query);
}

/** Entries that one page of folded lines looks at. The last line stands for those of its entries that were looked at. */
export const FOLD_LOOK = 5_000;

const FOLD_FIELDS = {
  entries: sql<number>`l.entries`,
  cause: sql<string | null>`l.cause`,
  actions: sql<readonly string[]>`l.actions`,
  subjectTypes: sql<readonly string[]>`l.subject_types`,
  actors: sql<number>`l.actors`,
  reasons: sql<number>`l.reasons`,
  /** Where the line begins and ends. */
  oldestAt: timeText(sql`l.oldest_at`),
  oldestSequence: sql<string>`l.oldest_sequence::text`,
  behindNewest: timeText(sql`(l.newest_at + interval '1 second')`),
  looked: sql<number>`l.looked`,
};

export type FoldedAuditRow = RowOf<typeof selectFoldedAudit>;

/** Lines of the audit, each the newest of the entries in a row that one cause made: `limit + 1` in the cursor's direction. */
export async function selectFoldedAudit(q: Queryable, tenantId: string, filters: AuditFilters, page: PageRequest) {
  const order = sql.raw(descends(page) ? "w.at desc, w.sequence desc" : "w.at, w.sequence");
  const walk = select({
    at: a.at,
    sequence: a.sequence,
    cause: CAUSE,
    action: a.action,
    subject_type: a.subjectType,
    actor: a.actorName,
    reason: a.reason,
  })
    .from(a)
    .where(narrowed(tenantId, filters, page))
    .orderBy(...orderOf(AUDIT_SORT, page))
    .limit(FOLD_LOOK);
  const lines = sql`select min(s.at) as oldest_at, min(s.sequence) as oldest_sequence, max(s.at) as newest_at,
      max(s.sequence) as newest_sequence, min(s.cause) as cause, count(*)::int as entries, (select count(*)::int from w) as looked,
      count(distinct s.actor)::int as actors, count(distinct coalesce(s.reason, ''))::int as reasons, array_agg(distinct s.action) as actions, array_agg(distinct s.subject_type) as subject_types
    from (select b.*, sum(b.begins) over (order by b.place) as line from (
      select w.*, row_number() over (order by ${order}) as place,
        (w.cause is null or w.cause is distinct from lag(w.cause) over (order by ${order}))::int as begins from w) b) s
    group by s.line order by s.line limit ${page.limit + 1}`;
  const query = select({ ...FIELDS, ...FOLD_FIELDS })
    .from(a)
    .innerJoin(sql`l`, and(eq(a.tenantId, tenantId), sql`${a.sequence} = l.newest_sequence`))
    .orderBy(...orderOf(AUDIT_SORT, page));
  return rowsOf(
    q,
    sql<(typeof query)["_"]["result"][number]>`with w as materialized (${walk}), l as (${lines}) ${query.getSQL()}`,
  );
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

/** @returns the id of the entry of this number, undefined when it is gone */
export async function selectAuditIdAt(q: Queryable, tenantId: string, sequence: bigint): Promise<string | undefined> {
  const { rows } = await q.query<{ id: string }>({
    text: "select a.id from onceboard.audit_entries a where a.tenant_id = $1 and a.sequence = $2",
    values: [tenantId, sequence],
  });
  return rows[0]?.id;
}
