import type { Queryable } from "@/db/client";

/** Gives a message back for later without counting an attempt. @returns false when fenced. */
export async function postponeInbox(
  db: Queryable,
  tenantId: string,
  id: string,
  fence: number,
  delayMs: number,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "postpone_inbox",
    text: "select onceboard.postpone_inbox($1,$2,$3,$4) as done",
    values: [tenantId, id, fence, delayMs],
  });
  return rows[0]?.done === true;
}
