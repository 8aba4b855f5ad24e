import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

export interface PolicyDbRow {
  readonly operation: string;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly updated_at: string;
  readonly updated_by: string;
}

/** What a tenant decided otherwise: one row per operation at the most. */
export async function selectPolicies(q: Queryable, tenantId: string): Promise<PolicyDbRow[]> {
  const { rows } = await q.query<PolicyDbRow>({
    text: `select p.operation, p.overrides, p.version, ${iso("p.updated_at")} as updated_at, p.updated_by
from onceboard.operation_policies p where p.tenant_id = $1 order by p.operation`,
    values: [tenantId],
  });
  return rows;
}

export interface PolicyChangeDbRow {
  readonly operation: string;
  readonly at: string;
  readonly by: string;
  readonly before: { readonly overrides?: Readonly<Record<string, unknown>> } | null;
  readonly after: { readonly overrides?: Readonly<Record<string, unknown>> } | null;
}

/** Changes of one operation's policy that are looked back at. */
const CHANGES = 50;

/** The newest changes of each operation's policy, from the audit: when each value became what it is. */
export async function selectPolicyChanges(
  q: Queryable,
  tenantId: string,
  operations: readonly string[],
): Promise<PolicyChangeDbRow[]> {
  const { rows } = await q.query<PolicyChangeDbRow>({
    text: `select o.operation, c.at, c.by, c.before, c.after from unnest($2::text[]) as o(operation)
cross join lateral (
  select ${iso("a.at")} as at, a.actor_name as by, a.before, a.after, a.sequence from onceboard.audit_entries a
  where a.tenant_id = $1 and a.subject_type = 'policy' and a.subject_id = o.operation and a.action = 'policies.write'
  order by a.sequence desc limit $3) c
order by o.operation, c.sequence desc`,
    values: [tenantId, operations, CHANGES],
  });
  return rows;
}
