import type { Queryable } from "@/db/client";

/** dead → pending under the same message id. @returns false when it is not dead (any more). */
export async function requeueOutboxRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
  reason: string | undefined,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "requeue_outbox",
    text: "select onceboard.requeue_outbox($1,$2,$3,$4) as done",
    values: [tenantId, id, actor, reason],
  });
  return rows[0]?.done === true;
}
