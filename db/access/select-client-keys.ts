import { and, asc, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { rowsOf, same, select, subselect, timeText, timeTextOrNull, type RowOf } from "@/db/query";
import { apiClients, apiKeys } from "@/db/schema";
import { CLIENTS_LISTED } from "../metrics/select-client-measures";
import { actorName } from "./actor-names";

const c = alias(apiClients, "c");
const k = alias(apiKeys, "k");

const OPEN = sql`${k.revokedAt} is null and (${k.expiresAt} is null or ${k.expiresAt} > now())`;

export type ClientFactsRow = RowOf<typeof selectClientFacts>;

/** Clients that are kept here, with how many keys of each open now and when one was last used. @param name one of them alone */
export async function selectClientFacts(q: Queryable, tenantId: string, name?: string) {
  const keys = subselect({
    live_keys: sql<number>`count(*) filter (where ${OPEN})::int`,
    last_used_at: sql`max(${k.lastUsedAt})`,
  })
    .from(k)
    .where(and(eq(k.tenantId, c.tenantId), eq(k.clientId, c.id)))
    .as("keys");
  const query = select({
    id: c.id,
    name: c.name,
    contact: c.contact,
    scopes: c.scopes,
    profile: c.profile,
    created_at: timeText(c.createdAt),
    live_keys: keys.live_keys,
    last_used_at: timeTextOrNull(keys.last_used_at),
  })
    .from(c)
    .crossJoinLateral(keys)
    .where(and(eq(c.tenantId, tenantId), same(c.name, name)))
    .orderBy(asc(c.name))
    .limit(CLIENTS_LISTED);
  return rowsOf(q, query);
}

/** Keys shown of one client, the newest; older ones of a client that rotates often have ended. */
const KEYS_LISTED = 50;

export type ClientKeyRow = RowOf<typeof selectClientKeys>;

/** Keys of one client, those that open first; a secret's hash never leaves the database. */
export async function selectClientKeys(q: Queryable, tenantId: string, clientId: string) {
  const query = select({
    id: k.id,
    scopes: k.scopes,
    profile: k.profile,
    created_at: timeText(k.createdAt),
    /** Name of who made it; null: from the command line. */
    created_by: actorName(k.createdBy, k.tenantId),
    last_used_at: timeText(k.lastUsedAt),
    expires_at: timeText(k.expiresAt),
    expired: sql<boolean>`${k.expiresAt} is not null and ${k.expiresAt} <= now()`,
    revoked_at: timeText(k.revokedAt),
    revoked_by: k.revokedBy,
  })
    .from(k)
    .where(and(eq(k.tenantId, tenantId), eq(k.clientId, clientId)))
    .orderBy(sql`(${OPEN}) desc`, desc(k.createdAt), asc(k.id))
    .limit(KEYS_LISTED);
  return rowsOf(q, query);
}
