import type { Queryable } from "@/db/client";

/** Deletes runs older than `days` and thins those that held, one batch of each. @returns how many rows. */
export async function purgeInvariantChecks(
  db: Queryable,
  tenantId: string,
  days: number,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_invariant_checks",
    text: "select onceboard.purge_invariant_checks($1,$2,$3) as purged",
    values: [tenantId, days, limit],
  });
  return rows[0]?.purged ?? 0;
}
