import type { Queryable } from "@/db/client";

/** dead → discarded: never sent, the row stays and its aggregate goes on. @returns false when it is not dead (any more). */
export async function discardOutboxRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
  reason: string,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "discard_outbox",
    text: "select onceboard.discard_outbox($1,$2,$3,$4) as done",
    values: [tenantId, id, actor, reason],
  });
  return rows[0]?.done === true;
}
