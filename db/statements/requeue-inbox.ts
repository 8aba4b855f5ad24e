import type { Queryable } from "@/db/client";

/** dead → recorded; the handler runs again behind its unique constraints. @returns false when it is not dead (any more). */
export async function requeueInboxRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
  reason: string | undefined,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "requeue_inbox",
    text: "select onceboard.requeue_inbox($1,$2,$3,$4) as done",
    values: [tenantId, id, actor, reason],
  });
  return rows[0]?.done === true;
}
