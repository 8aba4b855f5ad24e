import type { Queryable } from "@/db/client";

/** A person's role in a tenant, or on all tenants. */
export interface GrantRow {
  readonly operatorId: string;
  /** Undefined: all tenants. */
  readonly tenantId: string | undefined;
  /** Undefined: none, the grant is taken away. */
  readonly role: string | undefined;
}

/** As SQL: the grants of the operator `o` by tenant, `{"acme": "viewer"}`. Read with whatever else is read of a person. */
export const TENANT_ROLES = `coalesce((select jsonb_object_agg(g.tenant_id, g.role) from onceboard.operator_grants g
                             where g.operator_id = o.id), '{}')`;

/** Gives a role in one tenant or on all, or takes it away; the caller holds the operator's row. */
export async function setGrant(tx: Queryable, { operatorId, tenantId, role }: GrantRow): Promise<void> {
  if (tenantId === undefined) {
    await tx.query({
      text: "update onceboard.operators set role = $2, updated_at = clock_timestamp() where id = $1",
      values: [operatorId, role ?? null],
    });
    return;
  }
  await tx.query({
    text:
      role === undefined
        ? "delete from onceboard.operator_grants where operator_id = $1 and tenant_id = $2"
        : `insert into onceboard.operator_grants (operator_id, tenant_id, role) values ($1, $2, $3)
           on conflict (operator_id, tenant_id) do update set role = excluded.role, granted_at = clock_timestamp()`,
    values: role === undefined ? [operatorId, tenantId] : [operatorId, tenantId, role],
  });
}

/** Gives a role in each of some tenants; of these the ones that there are. */
export async function grantTenants(
  tx: Queryable,
  {
    operatorId,
    tenantIds,
    role,
  }: { readonly operatorId: string; readonly tenantIds: readonly string[]; readonly role: string },
): Promise<void> {
  await tx.query({
    text: `insert into onceboard.operator_grants (operator_id, tenant_id, role)
           select $1, t.id, $3 from onceboard.tenants t where t.id = any ($2::text[])
           on conflict (operator_id, tenant_id) do nothing`,
    values: [operatorId, tenantIds, role],
  });
}
