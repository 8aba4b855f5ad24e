import type { Queryable } from "@/db/client";

export interface HandledRow {
  readonly id: string;
  readonly fence: number;
  readonly result: string;
}

/** recorded → processed, in the transaction of the effects. @returns the ids that were still ours; with any missing: roll back. */
export async function finishInbox(db: Queryable, tenantId: string, handled: readonly HandledRow[]): Promise<string[]> {
  if (handled.length === 0) return [];
  const { rows } = await db.query<{ id: string }>({
    name: "finish_inbox",
    text: "select finish_inbox as id from onceboard.finish_inbox($1,$2::uuid[],$3::integer[],$4::text[])",
    values: [tenantId, handled.map((row) => row.id), handled.map((row) => row.fence), handled.map((row) => row.result)],
  });
  return rows.map((row) => row.id);
}
