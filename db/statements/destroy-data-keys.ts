import type { Queryable } from "@/db/client";

/** Destroys the body keys of days before `before` (`YYYY-MM-DD`) that nothing needs any more. @returns those days */
export async function destroyDataKeys(db: Queryable, tenantId: string, before: string): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>({
    name: "destroy_data_keys",
    text: "select day from onceboard.destroy_data_keys($1,$2)",
    values: [tenantId, before],
  });
  return rows.map((row) => row.day);
}
