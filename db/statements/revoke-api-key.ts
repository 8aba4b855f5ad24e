import type { Queryable } from "@/db/client";

/** @param by who did it; undefined: the command line. @returns whether there was a key of this id in the tenant that was not revoked. */
export async function revokeApiKeyRow(db: Queryable, tenantId: string, keyId: string, by?: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `update onceboard.api_keys set revoked_at = clock_timestamp(), revoked_by = $3
            where tenant_id = $1 and id = $2 and revoked_at is null`,
    values: [tenantId, keyId, by ?? null],
  });
  return rowCount === 1;
}
