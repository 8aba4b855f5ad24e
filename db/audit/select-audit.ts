import type { Queryable } from "@/db/client";
import { keyset, within, type PageRequest, type SortColumns } from "../paging";
import { conditions, iso } from "../sql-text";
import type { AuditFilters } from "@/domain/lists/filters";

export interface AuditDbRow {
  readonly id: string;
  readonly sequence: bigint;
  readonly at: string;
  readonly actor_kind: string;
  readonly actor_name: string;
  /** Of a person who still has an account. */
  readonly actor_email: string | null;
  readonly action: string;
  readonly subject_type: string;
  readonly subject_id: string;
  /** Of a person who still has an account. */
  readonly subject_email: string | null;
  readonly reason: string | null;
}

/** The name is kept in the entry; the address is looked up, for two people may share a name. */
const EMAIL = "(select u.email from onceboard.operators u where a.actor_kind = 'operator' and u.id = a.actor_id)";
const SUBJECT_EMAIL =
  "(select u.email from onceboard.operators u where a.subject_type = 'operator' and u.id = a.subject_id)";
const COLUMNS = `a.id, a.sequence, ${iso("a.at")} as at, a.actor_kind, a.actor_name, ${EMAIL} as actor_email, a.action, a.subject_type, a.subject_id, ${SUBJECT_EMAIL} as subject_email, a.reason`;

/** The chain has no holes and its sequence is unique: it is the sort and its own tie-breaker. */
export const AUDIT_SORT: SortColumns = { value: "a.at", type: "timestamptz", id: "a.sequence", idType: "bigint" };

export async function selectAudit(
  q: Queryable,
  tenantId: string,
  filters: AuditFilters,
  page: PageRequest,
): Promise<AuditDbRow[]> {
  const where = conditions();
  where.equal("a.tenant_id", tenantId);
  where.equal("a.action", filters.action);
  if (filters.actor !== undefined) where.add(`${where.param(filters.actor)} in (a.actor_name, ${EMAIL})`);
  where.equal("a.subject_type", filters.subjectType);
  where.equal("a.subject_id", filters.subjectId);
  if (filters.id !== undefined) {
    const id = where.param(filters.id);
    where.add(`${id} in (a.id::text, a.subject_id, a.request_id)`);
  }
  within(where, "a.at", filters);
  const tail = keyset(where, AUDIT_SORT, page);
  const { rows } = await q.query<AuditDbRow>({
    text: `select ${COLUMNS} from onceboard.audit_entries a\nwhere ${where.text()}\n${tail}`,
    values: where.values,
  });
  return rows;
}

const OF_SUBJECT = 50;

/** Newest entries about one subject. */
export async function selectAuditOfSubject(
  q: Queryable,
  tenantId: string,
  subjectType: string,
  subjectId: string,
): Promise<AuditDbRow[]> {
  const { rows } = await q.query<AuditDbRow>({
    text: `select ${COLUMNS} from onceboard.audit_entries a where a.tenant_id = $1 and a.subject_type = $2 and a.subject_id = $3 order by a.sequence desc limit $4`,
    values: [tenantId, subjectType, subjectId, OF_SUBJECT],
  });
  return rows;
}

export interface AuditEntryRow extends AuditDbRow {
  readonly actor_id: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly evidence: unknown;
  readonly request_id: string | null;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
}

export async function selectAuditEntry(q: Queryable, tenantId: string, id: string): Promise<AuditEntryRow | undefined> {
  const { rows } = await q.query<AuditEntryRow>({
    text: `select ${COLUMNS}, a.actor_id, a.before, a.after, a.evidence, a.request_id, a.previous_hash, a.hash
from onceboard.audit_entries a where a.tenant_id = $1 and a.id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
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
  tenantId: string,
  from: bigint,
  limit: number,
): Promise<AuditPartRow> {
  const { rows } = await q.query<AuditPartRow>({
    text: "select * from onceboard.verify_audit_part($1, $2, $3)",
    values: [tenantId, from, limit],
  });
  return rows[0] ?? { broken_at: null, reason: null, checked_to: from - 1n, head: null };
}

/** @returns the id of the entry of this number, undefined when it is gone */
export async function selectAuditIdAt(q: Queryable, tenantId: string, sequence: bigint): Promise<string | undefined> {
  const { rows } = await q.query<{ id: string }>({
    text: "select a.id from onceboard.audit_entries a where a.tenant_id = $1 and a.sequence = $2",
    values: [tenantId, sequence],
  });
  return rows[0]?.id;
}
