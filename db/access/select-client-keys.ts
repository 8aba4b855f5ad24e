import { and, asc, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { pick, rowsOf, same, select, subselect, timeTextOrNull } from "@/db/query";
import { apiClients, apiKeys } from "@/db/schema";
import { CLIENTS_LISTED } from "@/domain/metrics/client-sums";
import { actorName } from "./actor-names";

const c = alias(apiClients, "c");
const k = alias(apiKeys, "k");

const OPEN = sql`${k.revokedAt} is null and (${k.expiresAt} is null or ${k.expiresAt} > now())`;

/** Clients that are kept here, with how many keys of each open now and when one was last used. @param name one of them alone */
export async function selectClientFacts(q: Queryable, tenantId: string, name?: string) {
  const keys = subselect({
    liveKeys: sql<number>`count(*) filter (where ${OPEN})::int`,
    lastUsedAt: sql`max(${k.lastUsedAt})`,
  })
    .from(k)
    .where(and(eq(k.tenantId, c.tenantId), eq(k.clientId, c.id)))
    .as("keys");
  const query = select({
    ...pick(c, "id", "name", "contact", "scopes", "profile", "createdAt"),
    liveKeys: keys.liveKeys,
    lastUsedAt: timeTextOrNull(keys.lastUsedAt),
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

/** Keys of one client, those that open first; a secret's hash never leaves the database. */
export async function selectClientKeys(q: Queryable, tenantId: string, clientId: string) {
  const query = select({
    ...pick(k, "id", "scopes", "profile", "createdAt", "lastUsedAt", "expiresAt", "revokedAt", "revokedBy"),
    /** Name of who made it; none: from the command line. */
    createdBy: actorName(k.createdBy, k.tenantId),
    expired: sql<boolean>`${k.expiresAt} is not null and ${k.expiresAt} <= now()`,
  })
    .from(k)
    .where(and(eq(k.tenantId, tenantId), eq(k.clientId, clientId)))
    .orderBy(sql`(${OPEN}) desc`, desc(k.createdAt), asc(k.id))
    .limit(KEYS_LISTED);
  return rowsOf(q, query);
}
