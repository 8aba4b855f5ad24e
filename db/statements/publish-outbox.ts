import type { Queryable } from "@/db/client";

/**
 * Moves acknowledged messages to the history, each by its fence.
 *
 * @param transport what carried them
 * @returns the ids that were ours to move
 */
export async function publishOutbox(
  db: Queryable,
  tenantId: string,
  messages: readonly { readonly id: string; readonly fence: number }[],
  transport: string,
): Promise<string[]> {
  if (messages.length === 0) return [];
  const { rows } = await db.query<{ id: string }>({
    name: "publish_outbox",
    text: "select publish_outbox as id from onceboard.publish_outbox($1,$2::uuid[],$3::integer[],$4)",
    values: [tenantId, messages.map((message) => message.id), messages.map((message) => message.fence), transport],
  });
  return rows.map((row) => row.id);
}
