import type { Queryable } from "@/db/client";

/**
 * Gives messages back for later without counting an attempt.
 *
 * @param options.delayMs milliseconds until they are due again
 * @param options.alone handle them singly from then on
 * @returns how many were still ours
 */
export async function postponeInbox(
  db: Queryable,
  tenantId: string,
  messages: readonly { readonly id: string; readonly fence: number }[],
  options: { readonly delayMs: number; readonly alone: boolean },
): Promise<number> {
  if (messages.length === 0) return 0;
  const { rows } = await db.query<{ postponed: number }>({
    name: "postpone_inbox",
    text: "select onceboard.postpone_inbox($1,$2::uuid[],$3::integer[],$4,$5) as postponed",
    values: [
      tenantId,
      messages.map((message) => message.id),
      messages.map((message) => message.fence),
      options.delayMs,
      options.alone,
    ],
  });
  return rows[0]?.postponed ?? 0;
}
