import type { Queryable } from "@/db/client";

export async function tenantExists(db: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "tenant_exists",
    text: "select 1 from onceboard.tenants where id = $1",
    values: [tenantId],
  });
  return rowCount === 1;
}
