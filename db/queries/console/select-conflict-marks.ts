import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

/** Groups that somebody marked; a tenant has few pairs of client and operation. */
const MARKS = 500;

export interface ConflictMarkRow {
  readonly client: string;
  readonly operation: string;
  readonly mark: string;
  readonly note: string;
  readonly marked_by: string;
  readonly marked_at: string;
}

/** Marks of the tenant, or the one of a group. */
export async function selectConflictMarks(
  q: Queryable,
  tenantId: string,
  group: { readonly client?: string | undefined; readonly operation?: string | undefined } = {},
): Promise<ConflictMarkRow[]> {
  const { rows } = await q.query<ConflictMarkRow>({
    text: `select m.client, m.operation, m.mark, m.note, m.marked_by, ${iso("m.marked_at")} as marked_at
from onceboard.conflict_marks m
where m.tenant_id = $1 and ($2::text is null or m.client = $2) and ($3::text is null or m.operation = $3)
order by m.marked_at desc limit ${String(MARKS)}`,
    values: [tenantId, group.client ?? null, group.operation ?? null],
  });
  return rows;
}
