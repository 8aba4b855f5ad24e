import { and, asc, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { pick, rowsOf, select, timeText } from "@/db/query";
import { apiClients, apiKeys, eventSources, operatorGrants, operators, tenants } from "@/db/schema";

/** People and programs listed at the most. */
const LISTED = 200;

export async function selectTenant(q: Queryable, tenantId: string) {
  const its = select(pick(tenants, "id", "name", "homeRegion")).from(tenants);
  return (await rowsOf(q, its.where(eq(tenants.id, tenantId)))).at(0);
}

const c = alias(apiClients, "c");
const k = alias(apiKeys, "k");
const KEYS = select({
  list: sql`jsonb_agg(jsonb_build_object('id', ${k.id}, 'createdAt', ${timeText(k.createdAt)}, 'revokedAt', ${timeText(k.revokedAt)})
    order by ${k.createdAt} desc)`,
})
  .from(k)
  .where(and(eq(k.tenantId, c.tenantId), eq(k.clientId, c.id)));

/** Programs with the public part of their keys; a secret's hash never leaves the database. */
export async function selectClients(q: Queryable, tenantId: string) {
  const query = select({
    ...pick(c, "id", "name", "scopes", "profile", "createdAt"),
    keys: sql<
      { readonly id: string; readonly createdAt: string; readonly revokedAt?: string }[]
    >`jsonb_strip_nulls(coalesce(${KEYS}, '[]'))`,
  })
    .from(c)
    .where(eq(c.tenantId, tenantId))
    .orderBy(asc(c.name), asc(c.id))
    .limit(LISTED);
  return rowsOf(q, query);
}

const o = alias(operators, "o");
const g = alias(operatorGrants, "g");

/** Who has a role in a tenant, of its own or on all tenants, with that role. Nobody else is named there. */
export async function selectOperators(q: Queryable, tenantId: string) {
  const its = select({ role: g.role })
    .from(g)
    .where(and(eq(g.operatorId, o.id), eq(g.tenantId, tenantId)));
  const role = sql<string>`coalesce(${its}, ${o.role})`;
  const query = select({ ...pick(o, "id", "name", "email", "disabledAt", "createdAt"), role })
    .from(o)
    .where(sql`${role} is not null`)
    .orderBy(asc(o.email))
    .limit(LISTED);
  return rowsOf(q, query);
}

/** Those that are valid first, so that a long past never hides one. */
export async function selectEventSources(q: Queryable, tenantId: string) {
  const s = eventSources;
  const query = select(pick(s, "source", "secretId", "createdAt", "expiresAt"))
    .from(s)
    .where(eq(s.tenantId, tenantId))
    .orderBy(sql`coalesce(${s.expiresAt} <= clock_timestamp(), false)`, asc(s.source), desc(s.createdAt))
    .limit(LISTED);
  return rowsOf(q, query);
}
