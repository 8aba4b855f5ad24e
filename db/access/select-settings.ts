import { and, asc, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { rowsOf, select, timeText, type RowOf } from "@/db/query";
import { apiClients, apiKeys, eventSources, operators, tenants } from "@/db/schema";

/** People and programs listed at the most. */
const LISTED = 200;

export async function selectTenant(q: Queryable, tenantId: string) {
  const its = select({ id: tenants.id, name: tenants.name, home_region: tenants.homeRegion }).from(tenants);
  return (await rowsOf(q, its.where(eq(tenants.id, tenantId)))).at(0);
}

const c = alias(apiClients, "c");
const k = alias(apiKeys, "k");
const KEYS = select({
  list: sql`json_agg(json_build_object('id', ${k.id}, 'createdAt', ${timeText(k.createdAt)}, 'revokedAt', ${timeText(k.revokedAt)})
    order by ${k.createdAt} desc)`,
})
  .from(k)
  .where(and(eq(k.tenantId, c.tenantId), eq(k.clientId, c.id)));

export type ClientDbRow = RowOf<typeof selectClients>;

/** Programs with the public part of their keys; a secret's hash never leaves the database. */
export async function selectClients(q: Queryable, tenantId: string) {
  const query = select({
    id: c.id,
    name: c.name,
    scopes: c.scopes,
    profile: c.profile,
    created_at: timeText(c.createdAt),
    keys: sql<
      { readonly id: string; readonly createdAt: string; readonly revokedAt: string | null }[]
    >`coalesce(${KEYS}, '[]')`,
  })
    .from(c)
    .where(eq(c.tenantId, tenantId))
    .orderBy(asc(c.name), asc(c.id))
    .limit(LISTED);
  return rowsOf(q, query);
}

export type OperatorDbRow = RowOf<typeof selectOperators>;

/** People belong to the deployment, not to a tenant. */
export async function selectOperators(q: Queryable) {
  const o = operators;
  const query = select({
    id: o.id,
    name: o.name,
    email: o.email,
    role: o.role,
    disabled_at: timeText(o.disabledAt),
    created_at: timeText(o.createdAt),
  })
    .from(o)
    .orderBy(asc(o.email))
    .limit(LISTED);
  return rowsOf(q, query);
}

export async function selectEventSources(q: Queryable, tenantId: string) {
  const s = eventSources;
  const query = select({
    source: s.source,
    secret_id: s.secretId,
    created_at: timeText(s.createdAt),
    expires_at: timeText(s.expiresAt),
  })
    .from(s)
    .where(eq(s.tenantId, tenantId))
    .orderBy(asc(s.source), desc(s.createdAt))
    .limit(LISTED);
  return rowsOf(q, query);
}
