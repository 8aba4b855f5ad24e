import type { Queryable } from "@/db/client";
import { actorName } from "./actor-names";
import { iso } from "../sql-text";
import { CLIENTS_LISTED } from "../metrics/select-client-measures";

export interface ClientFactsRow {
  readonly id: string;
  readonly name: string;
  readonly contact: string | null;
  readonly scopes: string[];
  readonly profile: string;
  readonly created_at: string;
  readonly live_keys: number;
  readonly last_used_at: string | null;
}

const OPEN = "k.revoked_at is null and (k.expires_at is null or k.expires_at > now())";

/** Clients that are kept here, with how many keys of each open now and when one was last used. @param name one of them alone */
export async function selectClientFacts(q: Queryable, tenantId: string, name?: string): Promise<ClientFactsRow[]> {
  const { rows } = await q.query<ClientFactsRow>({
    text: `select c.id, c.name, c.contact, c.scopes, c.profile, ${iso("c.created_at")} as created_at, k.live_keys, ${iso("k.last_used_at")} as last_used_at
from onceboard.api_clients c
cross join lateral (select count(*) filter (where ${OPEN})::int as live_keys, max(k.last_used_at) as last_used_at
  from onceboard.api_keys k where k.tenant_id = c.tenant_id and k.client_id = c.id) k
where c.tenant_id = $1 and ($2::text is null or c.name = $2) order by c.name limit $3`,
    values: [tenantId, name ?? null, CLIENTS_LISTED],
  });
  return rows;
}

export interface ClientKeyRow {
  readonly id: string;
  readonly scopes: string[];
  readonly profile: string;
  readonly created_at: string;
  /** Name of who made it; null: from the command line. */
  readonly created_by: string | null;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly expired: boolean;
  readonly revoked_at: string | null;
  readonly revoked_by: string | null;
}

/** Keys shown of one client, the newest; older ones of a client that rotates often have ended. */
const KEYS_LISTED = 50;

/** Keys of one client, those that open first; a secret's hash never leaves the database. */
export async function selectClientKeys(q: Queryable, tenantId: string, clientId: string): Promise<ClientKeyRow[]> {
  const { rows } = await q.query<ClientKeyRow>({
    text: `select k.id, k.scopes, k.profile, ${iso("k.created_at")} as created_at,
  ${actorName("k.created_by", "k.tenant_id")} as created_by, ${iso("k.last_used_at")} as last_used_at,
  ${iso("k.expires_at")} as expires_at, k.expires_at is not null and k.expires_at <= now() as expired,
  ${iso("k.revoked_at")} as revoked_at, k.revoked_by
from onceboard.api_keys k
where k.tenant_id = $1 and k.client_id = $2
order by (${OPEN}) desc, k.created_at desc, k.id limit $3`,
    values: [tenantId, clientId, KEYS_LISTED],
  });
  return rows;
}
