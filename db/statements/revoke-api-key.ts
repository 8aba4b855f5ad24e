import type { Queryable } from "@/db/client";

/** @returns whether there was a live key of this id in the tenant. */
export async function revokeApiKeyRow(db: Queryable, tenantId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `update onceboard.api_keys set revoked_at = clock_timestamp()
            where tenant_id = $1 and id = $2 and revoked_at is null`,
    values: [tenantId, keyId],
  });
  return rowCount === 1;
}
