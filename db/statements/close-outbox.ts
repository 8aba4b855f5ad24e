import type { Queryable } from "@/db/client";

/** dead → published without sending, because the consumer's inbox holds the message. @returns false when it is not dead (any more). */
export async function closeOutboxRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
  reason: string | undefined,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "close_outbox",
    text: "select onceboard.close_outbox($1,$2,$3,$4) as done",
    values: [tenantId, id, actor, reason],
  });
  return rows[0]?.done === true;
}
