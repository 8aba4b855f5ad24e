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
  readonly fence: number;
  readonly attempts_started: number;
  readonly attempts_finished: number;
  readonly created_at: Date;
}

/** Takes due messages, the oldest of each aggregate only; each message goes to one relay, with its fence raised. */
export async function claimOutbox(
  db: Queryable,
  input: { readonly tenantId: string; readonly owner: string; readonly leaseMs: number; readonly limit: number },
): Promise<ClaimedOutboxMessage[]> {
  const { rows } = await db.query<ClaimedOutboxMessage>({
    name: "claim_outbox",
    text: "select * from onceboard.claim_outbox($1,$2,$3,$4)",
    values: [input.tenantId, input.owner, input.leaseMs, input.limit],
  });
  return rows;
}
