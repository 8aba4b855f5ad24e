import type { Queryable } from "@/db/client";

export interface ApiKeyRow {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly homeRegion: string;
  readonly secretHash: Buffer;
  readonly scopes: readonly string[];
  readonly profile: string;
}

/** One round trip by primary key; a key that was revoked or is past its end is not there. */
export async function apiKeyById(db: Queryable, keyId: string): Promise<ApiKeyRow | undefined> {
  const { rows } = await db.query<ApiKeyRow>({
    name: "api_key_by_id",
    text: `select k.tenant_id as "tenantId", k.client_id as "clientId", c.name as "clientName",
                  t.home_region as "homeRegion", k.secret_hash as "secretHash", k.scopes, k.profile
             from onceboard.api_keys k
             join onceboard.api_clients c on c.tenant_id = k.tenant_id and c.id = k.client_id
             join onceboard.tenants t on t.id = k.tenant_id
            where k.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())`,
    values: [keyId],
  });
  return rows[0];
}
