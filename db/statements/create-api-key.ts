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
           insert into onceboard.api_keys (tenant_id, id, client_id, secret_hash, scopes, profile)
           select $1, $4, client.id, $5, $6, $7 from client
           returning client_id as "clientId"`,
    values: [
      key.tenantId,
      key.clientName,
      key.newClientId,
      key.keyId,
      key.secretHash,
      [...key.scopes],
      key.profile,
      key.homeRegion,
    ],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("a key was not stored");
  return row;
}
