import type { Queryable } from "@/db/client";

/** recorded → processed, in the transaction of the effect. @returns false when fenced: roll back. */
export async function finishInbox(
  db: Queryable,
  tenantId: string,
  id: string,
  fence: number,
  result: string,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "finish_inbox",
    text: "select onceboard.finish_inbox($1,$2,$3,$4) as done",
    values: [tenantId, id, fence, result],
  });
  return rows[0]?.done === true;
}
