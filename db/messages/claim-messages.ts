import type { Queryable } from "@/db/client";
import type { DbRow } from "@/db/query";
import type { inboxMessages, outboxMessages } from "@/db/schema";

type Shared = "id" | "operation_id" | "type" | "headers" | "fence" | "attempts_started";
type Outbox = DbRow<typeof outboxMessages>;
type Inbox = DbRow<typeof inboxMessages>;

/** A message of either side goes to one process, with its fence raised and its attempt counted. */
export interface ClaimedOutboxMessage extends Pick<
  Outbox,
  Shared | "aggregate_type" | "aggregate_id" | "topic" | "position" | "created_at"
> {
  readonly payload: unknown;
}

/** `headers` are what was kept of the arrival's. */
export interface ClaimedInboxMessage extends Pick<
  Inbox,
  Shared | "consumer" | "source" | "message_id" | "attempts_finished"
> {
  readonly payload: unknown;
  readonly sealed: boolean;
}

interface PageClaim {
  readonly tenantId: string;
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
}

const SHARED = "id, operation_id, type, payload, headers, fence, attempts_started";

/** Takes due messages of a topic, the oldest of each aggregate only. None while it is paused. */
export async function claimOutbox(
  db: Queryable,
  input: PageClaim & { readonly topic: string },
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
 * @param input.consumers of these only; undefined: of all
 */
export async function claimInbox(
  db: Queryable,
  input: PageClaim & { readonly alone: boolean; readonly consumers?: readonly string[] },
): Promise<ClaimedInboxMessage[]> {
  const { rows } = await db.query<ClaimedInboxMessage>({
    name: "claim_inbox",
    text: `select ${SHARED}, consumer, source, message_id, attempts_finished, sealed from onceboard.claim_inbox($1,$2,$3,$4,$5,$6)`,
    values: [input.tenantId, input.owner, input.leaseMs, input.limit, input.alone, input.consumers],
  });
  return rows;
}
