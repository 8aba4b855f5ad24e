import type { Queryable } from "@/db/client";

export interface CountSnapshotRow {
  readonly name: string;
  readonly value: bigint;
  readonly kind: "exact" | "at_least" | "estimate";
  readonly age_ms: number;
}

/** Counts of the huge states as they were last taken. */
export async function selectCountSnapshots(q: Queryable, tenantId: string): Promise<CountSnapshotRow[]> {
  const { rows } = await q.query<CountSnapshotRow>({
    text: `select s.name, s.value, s.kind, (extract(epoch from now() - s.taken_at) * 1000)::float8 as age_ms
from onceboard.count_snapshots s where s.tenant_id = $1`,
    values: [tenantId],
  });
  return rows;
}
