import type { Queryable } from "@/db/client";

/** Deletes processed messages past the metadata retention, one batch. @returns how many. */
export async function purgeInbox(
  db: Queryable,
  tenantId: string,
  metadataDays: number,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_inbox",
    text: "select onceboard.purge_inbox($1,$2,$3) as purged",
    values: [tenantId, metadataDays, limit],
  });
  return rows[0]?.purged ?? 0;
}
