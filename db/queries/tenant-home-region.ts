import type { Queryable } from "@/db/client";

/** @returns where a tenant's keys live, or undefined when there is no such tenant. */
export async function tenantHomeRegion(db: Queryable, tenantId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ home: string }>({
    name: "tenant_home_region",
    text: "select home_region as home from onceboard.tenants where id = $1",
    values: [tenantId],
  });
  return rows[0]?.home;
}
