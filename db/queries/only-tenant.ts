import type { Queryable } from "@/db/client";

/** @returns the tenant where there is exactly one: nobody has to name it then. */
export async function onlyTenant(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: "only_tenant",
    text: "select id from onceboard.tenants order by id limit 2",
  });
  return rows.length === 1 ? rows[0]?.id : undefined;
}
