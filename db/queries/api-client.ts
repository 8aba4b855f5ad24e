import type { Queryable } from "@/db/client";
import { iso } from "./sql-text";

export interface ApiClientRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly profile: string;
  readonly contact: string | null;
}

/** Locks the client until the transaction ends: whoever changes its keys takes turns. */
export async function apiClientForChange(
  tx: Queryable,
  tenantId: string,
  name: string,
): Promise<ApiClientRow | undefined> {
  const { rows } = await tx.query<ApiClientRow>({
    text: `select c.id, c.name, c.scopes, c.profile, c.contact from onceboard.api_clients c
            where c.tenant_id = $1 and c.name = $2 for update`,
    values: [tenantId, name],
  });
  return rows[0];
}

export interface ApiKeyFacts {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly profile: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  /** Neither revoked nor past its end. */
  readonly live: boolean;
}

/** A key of this client by its public part. */
export async function apiKeyOfClient(
  tx: Queryable,
  tenantId: string,
  clientId: string,
  keyId: string,
): Promise<ApiKeyFacts | undefined> {
  const { rows } = await tx.query<ApiKeyFacts>({
    text: `select k.id, k.scopes, k.profile, ${iso("k.expires_at")} as expires_at, ${iso("k.last_used_at")} as last_used_at,
                  k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp()) as live
             from onceboard.api_keys k where k.tenant_id = $1 and k.client_id = $2 and k.id = $3`,
    values: [tenantId, clientId, keyId],
  });
  return rows[0];
}

/** @returns how many keys of this client open now. */
export async function countLiveKeys(tx: Queryable, tenantId: string, clientId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    text: `select count(*)::int as count from onceboard.api_keys k
            where k.tenant_id = $1 and k.client_id = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())`,
    values: [tenantId, clientId],
  });
  return rows[0]?.count ?? 0;
}
