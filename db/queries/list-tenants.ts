import type { Queryable } from "@/db/client";

/** Tenants of one page of the loops' round. */
export const TENANTS_PAGE = 500;

/**
 * @param region whose tenants; all without it
 * @param after id of the last tenant of the page before
 * @returns tenant ids in order, at most {@link TENANTS_PAGE}
 */
export async function listTenants(db: Queryable, region: string | undefined, after = ""): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "list_tenants",
    text: "select id from onceboard.tenants where id > $1 and ($3::text is null or home_region = $3) order by id limit $2",
    values: [after, TENANTS_PAGE, region],
  });
  return rows.map((row) => row.id);
}
