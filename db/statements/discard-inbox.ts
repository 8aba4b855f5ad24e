import type { Queryable } from "@/db/client";

/** dead → discarded: never handled, the row stays. @returns false when it is not dead (any more). */
export async function discardInboxRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
  reason: string,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "discard_inbox",
    text: "select onceboard.discard_inbox($1,$2,$3,$4) as done",
    values: [tenantId, id, actor, reason],
  });
  return rows[0]?.done === true;
}
