import type { Queryable } from "@/db/client";

/** Deletes metadata past its own retention, one batch. @returns how many. */
export async function purgeRequests(db: Queryable, tenantId: string, limit: number): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_requests",
    text: "select onceboard.purge_requests($1,$2) as purged",
    values: [tenantId, limit],
  });
  return rows[0]?.purged ?? 0;
}
