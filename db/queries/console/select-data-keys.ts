import type { Queryable } from "@/db/client";

export interface DataKeysRow {
  readonly live: number;
  readonly oldest_live: string | null;
  readonly destroyed: number;
  readonly last_destroyed: string | null;
  /** Of keys that are wrapped by another entry of ENCRYPTION_KEYS than the current one. */
  readonly other_entry: number;
}

/** The body keys of one tenant: one row a day, so the count is small and exact. */
export async function selectDataKeys(
  q: Queryable,
  tenantId: string,
  current: string,
): Promise<DataKeysRow | undefined> {
  const { rows } = await q.query<DataKeysRow>({
    text: `select count(*) filter (where wrapped is not null)::int as live,
  min(day) filter (where wrapped is not null)::text as oldest_live,
  count(*) filter (where wrapped is null)::int as destroyed,
  max(day) filter (where wrapped is null)::text as last_destroyed,
  count(*) filter (where wrapped is not null and wrapped_by <> $2)::int as other_entry
from onceboard.data_keys where tenant_id = $1 and purpose = 'body'`,
    values: [tenantId, current],
  });
  return rows[0];
}
