import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

/** People and programs listed at the most. */
const LISTED = 200;

export async function selectTenant(
  q: Queryable,
  tenantId: string,
): Promise<{ id: string; name: string; home_region: string } | undefined> {
  const { rows } = await q.query<{ id: string; name: string; home_region: string }>({
    text: "select t.id, t.name, t.home_region from onceboard.tenants t where t.id = $1",
    values: [tenantId],
  });
  return rows[0];
}

export interface ClientDbRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: string[];
  readonly profile: string;
  readonly created_at: string;
  readonly keys: { readonly id: string; readonly createdAt: string; readonly revokedAt: string | null }[];
}

/** Programs with the public part of their keys; a secret's hash never leaves the database. */
export async function selectClients(q: Queryable, tenantId: string): Promise<ClientDbRow[]> {
  const { rows } = await q.query<ClientDbRow>({
    text: `select c.id, c.name, c.scopes, c.profile, ${iso("c.created_at")} as created_at,
  coalesce((select json_agg(json_build_object('id', k.id, 'createdAt', ${iso("k.created_at")}, 'revokedAt', ${iso("k.revoked_at")}) order by k.created_at desc)
    from onceboard.api_keys k where k.tenant_id = c.tenant_id and k.client_id = c.id), '[]') as keys
from onceboard.api_clients c where c.tenant_id = $1 order by c.name, c.id limit $2`,
    values: [tenantId, LISTED],
  });
  return rows;
}

export interface OperatorDbRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly disabled_at: string | null;
  readonly created_at: string;
}

/** People belong to the deployment, not to a tenant. */
export async function selectOperators(q: Queryable): Promise<OperatorDbRow[]> {
  const { rows } = await q.query<OperatorDbRow>({
    text: `select o.id, o.name, o.email, o.role, ${iso("o.disabled_at")} as disabled_at, ${iso("o.created_at")} as created_at
from onceboard.operators o order by o.email limit $1`,
    values: [LISTED],
  });
  return rows;
}

export async function selectEventSources(
  q: Queryable,
  tenantId: string,
): Promise<{ source: string; secret_id: string; created_at: string; expires_at: string | null }[]> {
  const { rows } = await q.query<{ source: string; secret_id: string; created_at: string; expires_at: string | null }>({
    text: `select s.source, s.secret_id, ${iso("s.created_at")} as created_at, ${iso("s.expires_at")} as expires_at
from onceboard.event_sources s where s.tenant_id = $1 order by s.source, s.created_at desc limit $2`,
    values: [tenantId, LISTED],
  });
  return rows;
}
