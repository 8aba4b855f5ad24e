import type { Queryable } from "@/db/client";

export interface InboxHolding {
  readonly id: string;
  readonly consumer: string;
  readonly state: "recorded" | "processed" | "dead" | "discarded";
  readonly at: Date;
  readonly payload_hash: Buffer;
}

/** Consumers of one message at the most. */
const HOLDING_LIMIT = 20;

/** Which consumers' inboxes hold this message id from this source? */
export async function inboxHolding(
  db: Queryable,
  tenantId: string,
  source: string,
  messageId: string,
): Promise<InboxHolding[]> {
  const { rows } = await db.query<InboxHolding>({
    name: "inbox_holding",
    text: `select id, consumer, state, coalesce(processed_at, received_at) as at, payload_hash from onceboard.inbox_messages
           where tenant_id = $1 and message_id = $3 and source = $2 order by consumer limit $4`,
    values: [tenantId, source, messageId, HOLDING_LIMIT],
  });
  return rows;
}
