import type { Queryable } from "@/db/client";
import { iso } from "@/db/sql-text";

export interface OperationPolicyChange {
  readonly tenantId: string;
  readonly operation: string;
  /** Only what differs, as in domain/idempotency/policy-form. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** The version that was looked at; 0 while there is none. */
  readonly expectedVersion: number;
  readonly by: string;
}

/** @returns the new version, or undefined when somebody changed it meanwhile. */
export async function setOperationPolicy(db: Queryable, change: OperationPolicyChange): Promise<number | undefined> {
  const { rows } = await db.query<{ version: number | null }>({
    name: "set_operation_policy",
    text: "select onceboard.set_operation_policy($1,$2,$3::jsonb,$4,$5) as version",
    values: [change.tenantId, change.operation, JSON.stringify(change.overrides), change.expectedVersion, change.by],
  });
  return rows[0]?.version ?? undefined;
}

export interface PolicyOverridesRow {
  readonly operation: string;
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** @returns what one tenant decided otherwise, for all its operations. */
export async function operationPolicyOverrides(db: Queryable, tenantId: string): Promise<PolicyOverridesRow[]> {
  const { rows } = await db.query<PolicyOverridesRow>({
    name: "operation_policy_overrides",
    text: "select operation, overrides from onceboard.operation_policies where tenant_id = $1",
    values: [tenantId],
  });
  return rows;
}

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
