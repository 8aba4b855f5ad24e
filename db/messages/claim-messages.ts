import type { Queryable } from "@/db/client";

/** What a claimed message of either side is known by: each goes to one process, with its fence raised and its attempt counted. */
interface ClaimedMessage {
  readonly id: string;
  readonly operation_id: string | null;
  readonly type: string;
  readonly payload: unknown;
  /** In the inbox what was kept of the arrival's headers. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly fence: number;
  readonly attempts_started: number;
}

export interface ClaimedOutboxMessage extends ClaimedMessage {
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly topic: string;
  readonly position: bigint;
  readonly created_at: Date;
}

export interface ClaimedInboxMessage extends ClaimedMessage {
  readonly consumer: string;
  readonly source: string;
  readonly message_id: string;
  readonly attempts_finished: number;
}

interface MessageClaim {
  readonly tenantId: string;
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
}

const SHARED = "id, operation_id, type, payload, headers, fence, attempts_started";

/** Takes due messages of a topic, the oldest of each aggregate only. None while it is paused. */
export async function claimOutbox(
  db: Queryable,
  input: MessageClaim & { readonly topic: string },
): Promise<ClaimedOutboxMessage[]> {
  const { rows } = await db.query<ClaimedOutboxMessage>({
    name: "claim_outbox",
    text: `select ${SHARED}, aggregate_type, aggregate_id, topic, position, created_at from onceboard.claim_outbox($1,$2,$3,$4,$5)`,
    values: [input.tenantId, input.topic, input.owner, input.leaseMs, input.limit],
  });
  return rows;
}

/**
 * Takes due messages.
 *
 * @param input.alone those that failed, were slow or ended their process; otherwise those that were never tried
 */
export async function claimInbox(
  db: Queryable,
  input: MessageClaim & { readonly alone: boolean },
): Promise<ClaimedInboxMessage[]> {
  const { rows } = await db.query<ClaimedInboxMessage>({
    name: "claim_inbox",
    text: `select ${SHARED}, consumer, source, message_id, attempts_finished from onceboard.claim_inbox($1,$2,$3,$4,$5)`,
    values: [input.tenantId, input.owner, input.leaseMs, input.limit, input.alone],
  });
  return rows;
}
