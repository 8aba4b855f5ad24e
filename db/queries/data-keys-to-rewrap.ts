import type { Queryable } from "@/db/client";
import type { DataKeyPurpose } from "../statements/ensure-data-key";

export interface WrappedKeyRow {
  readonly purpose: DataKeyPurpose;
  readonly day: string;
  readonly wrapped_by: string;
  readonly wrapped: Buffer;
}

/** @returns data keys that are wrapped by another entry than the current one, oldest first. */
export async function dataKeysToRewrap(
  db: Queryable,
  tenantId: string,
  current: string,
  limit: number,
): Promise<WrappedKeyRow[]> {
  const { rows } = await db.query<WrappedKeyRow>({
    text: `select purpose, day, wrapped_by, wrapped from onceboard.data_keys
           where tenant_id = $1 and wrapped is not null and wrapped_by <> $2 order by day limit $3`,
    values: [tenantId, current, limit],
  });
  return rows;
}
