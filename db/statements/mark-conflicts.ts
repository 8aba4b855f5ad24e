import type { Queryable } from "@/db/client";

export interface ConflictMark {
  readonly tenantId: string;
  readonly client: string;
  readonly operation: string;
  readonly mark: "client_fault" | "ours";
  readonly note: string;
  readonly by: string;
}

/** Says whose fault the conflicts of a client and operation are, up to now; an earlier mark is replaced. */
export async function markConflicts(db: Queryable, mark: ConflictMark): Promise<void> {
  await db.query({
    name: "mark_conflicts",
    text: `insert into onceboard.conflict_marks (tenant_id, client, operation, mark, note, marked_by, marked_at)
           values ($1, $2, $3, $4, $5, $6, clock_timestamp())
           on conflict (tenant_id, client, operation) do update
             set mark = excluded.mark, note = excluded.note, marked_by = excluded.marked_by, marked_at = excluded.marked_at`,
    values: [mark.tenantId, mark.client, mark.operation, mark.mark, mark.note, mark.by],
  });
}

/** Takes the mark back. @returns whether there was one */
export async function unmarkConflicts(
  db: Queryable,
  { tenantId, client, operation }: Pick<ConflictMark, "tenantId" | "client" | "operation">,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "unmark_conflicts",
    text: "delete from onceboard.conflict_marks where tenant_id = $1 and client = $2 and operation = $3",
    values: [tenantId, client, operation],
  });
  return (rowCount ?? 0) > 0;
}
