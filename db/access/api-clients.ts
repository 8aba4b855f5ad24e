import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { COUNT, pick, rowsOf, select, type RowOf } from "@/db/query";
import { apiClients, apiKeys } from "@/db/schema";

const c = alias(apiClients, "c");
const k = alias(apiKeys, "k");
/** Has no end, or has not come to it. */
const LASTS = sql<boolean>`(${k.expiresAt} is null or ${k.expiresAt} > clock_timestamp())`;

export interface NewApiClient {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly contact: string | null;
  readonly scopes: readonly string[];
  readonly profile: string;
  /** Most clients of one tenant. */
  readonly limit: number;
}

/** The tenant's row is locked, so two that are made at once count each other. */
export async function insertApiClient(tx: Queryable, client: NewApiClient): Promise<"created" | "exists" | "limit"> {
  await tx.query({
    text: "select 1 from onceboard.tenants t where t.id = $1 for update",
    values: [client.tenantId],
  });
  const { rows } = await tx.query<{ count: number; taken: boolean }>({
    text: `select count(*)::int as count, coalesce(bool_or(c.name = $2), false) as taken from onceboard.api_clients c where c.tenant_id = $1`,
    values: [client.tenantId, client.name],
  });
  if (rows[0]?.taken === true) return "exists";
  if ((rows[0]?.count ?? 0) >= client.limit) return "limit";
  const { rowCount } = await tx.query({
    text: `insert into onceboard.api_clients (tenant_id, id, name, contact, scopes, profile) values ($1, $2, $3, $4, $5, $6)
           on conflict (tenant_id, name) do nothing`,
    values: [client.tenantId, client.id, client.name, client.contact, [...client.scopes], client.profile],
  });
  return rowCount === 1 ? "created" : "exists";
}

/** What new keys of this client open, how they are answered, and whom to write to. Keys that exist stay as they are. */
export async function updateApiClient(
  tx: Queryable,
  client: Pick<NewApiClient, "tenantId" | "id" | "contact" | "scopes" | "profile">,
): Promise<void> {
  await tx.query({
    text: `update onceboard.api_clients set contact = $3, scopes = $4, profile = $5 where tenant_id = $1 and id = $2`,
    values: [client.tenantId, client.id, client.contact, [...client.scopes], client.profile],
  });
}

export interface NewKeyOfClient {
  readonly tenantId: string;
  readonly clientId: string;
  readonly keyId: string;
  readonly secretHash: Buffer;
  readonly scopes: readonly string[];
  readonly profile: string;
  readonly createdBy: string;
}

export async function insertApiKey(tx: Queryable, key: NewKeyOfClient): Promise<void> {
  await tx.query({
    text: `insert into onceboard.api_keys (tenant_id, id, client_id, secret_hash, scopes, profile, created_at, created_by)
           values ($1, $2, $3, $4, $5, $6, clock_timestamp(), $7)`,
    values: [key.tenantId, key.keyId, key.clientId, key.secretHash, [...key.scopes], key.profile, key.createdBy],
  });
}

/** Gives a key an end; one that it has already stays when it is the earlier. @returns the end, RFC 3339 */
export async function endApiKey(
  tx: Queryable,
  input: { readonly tenantId: string; readonly keyId: string; readonly afterHours: number },
): Promise<string> {
  const { rows } = await tx.query<{ ends: Date }>({
    text: `update onceboard.api_keys set expires_at = least(expires_at, clock_timestamp() + make_interval(hours => $3))
            where tenant_id = $1 and id = $2 returning expires_at as ends`,
    values: [input.tenantId, input.keyId, input.afterHours],
  });
  const ends = rows[0]?.ends;
  if (ends === undefined) throw new Error("a key was not there to be ended");
  return ends.toISOString();
}

export type ApiClientRow = RowOf<typeof apiClientForChange>;

/** Locks the client until the transaction ends: whoever changes its keys takes turns. */
export async function apiClientForChange(tx: Queryable, tenantId: string, name: string) {
  const query = select(pick(c, "id", "name", "scopes", "profile", "contact"))
    .from(c)
    .where(and(eq(c.tenantId, tenantId), eq(c.name, name)));
  return (await rowsOf(tx, query.for("update"))).at(0);
}

export type ApiKeyFacts = RowOf<typeof apiKeyOfClient>;

/** A key of this client by its public part. */
export async function apiKeyOfClient(tx: Queryable, tenantId: string, clientId: string, keyId: string) {
  const query = select({
    ...pick(k, "id", "scopes", "profile", "expiresAt", "lastUsedAt"),
    /** Neither revoked nor past its end. */
    live: sql<boolean>`${k.revokedAt} is null and ${LASTS}`,
  })
    .from(k)
    .where(and(eq(k.tenantId, tenantId), eq(k.clientId, clientId), eq(k.id, keyId)));
  return (await rowsOf(tx, query)).at(0);
}

/** @returns how many keys of this client open now. */
export async function countLiveKeys(tx: Queryable, tenantId: string, clientId: string): Promise<number> {
  const live = and(eq(k.tenantId, tenantId), eq(k.clientId, clientId), isNull(k.revokedAt), LASTS);
  const [row] = await rowsOf(tx, select({ count: COUNT }).from(k).where(live));
  return row?.count ?? 0;
}
