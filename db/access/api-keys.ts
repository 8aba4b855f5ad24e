import type { Queryable } from "@/db/client";

export interface NewApiKey {
  readonly tenantId: string;
  readonly clientName: string;
  /** Taken when there is no client of this name yet. */
  readonly newClientId: string;
  readonly keyId: string;
  readonly secretHash: Buffer;
  readonly scopes: readonly string[];
  readonly profile: string;
  /** Operator id of the person who has it. */
  readonly holder?: string | undefined;
  /** Home of a tenant that is made here; the column's own default without it. */
  readonly homeRegion?: string | undefined;
}

/**
 * Stores a key, and makes its tenant and its client when they are missing, in one statement. An existing client stays as
 * it is; what the key opens is the key's own.
 *
 * @returns the id of the client the key belongs to
 */
export async function createApiKeyRow(db: Queryable, key: NewApiKey): Promise<{ clientId: string }> {
  const { tenantId, clientName, newClientId, keyId, secretHash, scopes, profile, homeRegion, holder } = key;
  const { rows } = await db.query<{ clientId: string }>({
    text: `with tenant as (
             insert into onceboard.tenants (id, name, home_region) values ($1, $1, coalesce($8, 'local')) on conflict (id) do nothing
           ), client as (
             insert into onceboard.api_clients (tenant_id, id, name, scopes, profile)
             values ($1, $3, $2, $6, $7)
             -- An update that changes nothing, so that the row of the winner comes back.
             on conflict (tenant_id, name) do update set name = excluded.name
             returning id
           )
           insert into onceboard.api_keys (tenant_id, id, client_id, secret_hash, scopes, profile, holder)
           select $1, $4, client.id, $5, $6, $7, $9 from client
           returning client_id as "clientId"`,
    values: [tenantId, clientName, newClientId, keyId, secretHash, [...scopes], profile, homeRegion, holder],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("a key was not stored");
  return row;
}

/** @param by who did it; undefined: the command line. @returns whether there was a key of this id in the tenant that was not revoked. */
export async function revokeApiKeyRow(db: Queryable, tenantId: string, keyId: string, by?: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `update onceboard.api_keys set revoked_at = clock_timestamp(), revoked_by = $3
            where tenant_id = $1 and id = $2 and revoked_at is null`,
    values: [tenantId, keyId, by ?? null],
  });
  return rowCount === 1;
}

/** Notes that keys were used in the minute that runs; one that is noted already is left alone. */
export async function touchApiKeys(db: Queryable, keyIds: readonly string[]): Promise<void> {
  await db.query({
    name: "touch_api_keys",
    text: `update onceboard.api_keys set last_used_at = date_trunc('minute', clock_timestamp())
            where id = any ($1) and (last_used_at is null or last_used_at < date_trunc('minute', clock_timestamp()))`,
    values: [[...keyIds]],
  });
}

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
