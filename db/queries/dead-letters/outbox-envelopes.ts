import type { Queryable } from "@/db/client";

export interface OutboxEnvelopeRow {
  readonly id: string;
  readonly type: string;
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly position: bigint;
}

/** What messages would be sent as, for the few whose payload must be compared. Those that have left are not among them. */
export async function outboxEnvelopes(
  q: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<OutboxEnvelopeRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await q.query<OutboxEnvelopeRow>({
    name: "outbox_envelopes",
    text: `select id, type, aggregate_type, aggregate_id, payload, headers, created_at, position
           from onceboard.outbox_messages where tenant_id = $1 and id = any ($2::uuid[])`,
    values: [tenantId, ids],
  });
  return rows;
}
