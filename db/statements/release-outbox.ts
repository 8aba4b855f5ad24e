import type { Queryable } from "@/db/client";

/** Gives claimed messages back unsent, without counting an attempt. @returns how many were still ours. */
export async function releaseOutbox(
  db: Queryable,
  tenantId: string,
  messages: readonly { readonly id: string; readonly fence: number }[],
): Promise<number> {
  if (messages.length === 0) return 0;
  const { rows } = await db.query<{ released: number }>({
    text: "select onceboard.release_outbox($1,$2::uuid[],$3::integer[]) as released",
    values: [tenantId, messages.map((message) => message.id), messages.map((message) => message.fence)],
  });
  return rows[0]?.released ?? 0;
}
