import type { Queryable } from "./client";

/** Tenants of one page of the loops' round. */
export const TENANTS_PAGE = 500;

/**
 * @param region whose tenants; all without it
 * @param after id of the last tenant of the page before
 * @returns tenant ids in order, at most {@link TENANTS_PAGE}; those that were moved to another database are left out
 */
export async function listTenants(db: Queryable, region: string | undefined, after = ""): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "list_tenants",
    text: "select id from onceboard.tenants where id > $1 and moved_to is null and ($3::text is null or home_region = $3) order by id limit $2",
    values: [after, TENANTS_PAGE, region],
  });
  return rows.map((row) => row.id);
}

/** @returns the first tenants of those that are here and that somebody may see, in order, at most {@link TENANTS_PAGE}. @param among undefined: all */
export async function listTenantsAmong(db: Queryable, among: readonly string[] | undefined): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "list_tenants_among",
    text: "select id from onceboard.tenants where moved_to is null and ($1::text[] is null or id = any ($1)) order by id limit $2",
    values: [among, TENANTS_PAGE],
  });
  return rows.map((row) => row.id);
}

/**
 * @param among those that somebody may see; undefined: all
 * @returns the tenant where there is exactly one of them: nobody has to name it then
 */
export async function onlyTenant(db: Queryable, among: readonly string[] | undefined): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: "only_tenant",
    text: "select id from onceboard.tenants where moved_to is null and ($1::text[] is null or id = any ($1)) order by id limit 2",
    values: [among],
  });
  return rows.length === 1 ? rows[0]?.id : undefined;
}

export async function anyTenant(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query({ name: "any_tenant", text: "select 1 from onceboard.tenants limit 1" });
  return rowCount === 1;
}

/** @returns whether there is such a tenant whose rows are here */
export async function tenantExists(db: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "tenant_exists",
    text: "select 1 from onceboard.tenants where id = $1 and moved_to is null",
    values: [tenantId],
  });
  return rowCount === 1;
}

/** @returns where a tenant's keys live, or undefined when there is no such tenant. */
export async function tenantHomeRegion(db: Queryable, tenantId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ home: string }>({
    name: "tenant_home_region",
    text: "select home_region as home from onceboard.tenants where id = $1",
    values: [tenantId],
  });
  return rows[0]?.home;
}
