import type { Queryable } from "@/db/client";

export interface ClaimedOutboxMessage {
  readonly id: string;
  readonly operation_id: string | null;
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly topic: string;
  readonly type: string;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly position: bigint;
  readonly fence: number;
  readonly attempts_started: number;
  readonly created_at: Date;
}

/** Takes due messages of a topic, the oldest of each aggregate only; each goes to one relay, with its fence raised. None while it is paused. */
export async function claimOutbox(
  db: Queryable,
  input: {
    readonly tenantId: string;
    readonly topic: string;
    readonly owner: string;
    readonly leaseMs: number;
    readonly limit: number;
  },
): Promise<ClaimedOutboxMessage[]> {
  const { rows } = await db.query<ClaimedOutboxMessage>({
    name: "claim_outbox",
    text: `select id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, position, fence, attempts_started, created_at
           from onceboard.claim_outbox($1,$2,$3,$4,$5)`,
    values: [input.tenantId, input.topic, input.owner, input.leaseMs, input.limit],
  });
  return rows;
}
