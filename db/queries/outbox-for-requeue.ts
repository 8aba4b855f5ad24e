import type { Queryable } from "@/db/client";

export interface OutboxForRequeue {
  readonly state: "pending" | "published" | "dead" | "discarded";
  readonly id: string;
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly position: bigint;
  readonly leased: boolean;
  readonly locked_until: Date | null;
  readonly attempts_started: number;
  readonly published_at: Date | null;
  readonly last_error_code: string | null;
  /** State of the operation it tells of, if that is still kept. */
  readonly operation_state: string | null;
  readonly topic: string;
  readonly type: string;
}

/** What decides whether a message may be sent again, pending, dead or published. */
export async function outboxForRequeue(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<OutboxForRequeue | undefined> {
  const { rows } = await db.query<OutboxForRequeue>({
    name: "outbox_for_requeue",
    text: `select m.*, r.state as operation_state from (
             select state, id, aggregate_type, aggregate_id, payload, headers, created_at, position, coalesce(locked_until > clock_timestamp(), false) as leased, locked_until, attempts_started,
               null::timestamptz as published_at, last_error_code, operation_id, topic, type
             from onceboard.outbox_messages where tenant_id = $1 and id = $2
             union all
             select 'published', id, aggregate_type, aggregate_id, payload, headers, created_at, position, false, null, attempts_started, published_at, last_error_code, operation_id, topic, type
             from onceboard.outbox_history where tenant_id = $1 and id = $2) m
           left join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = m.operation_id
           limit 1`,
    values: [tenantId, id],
  });
  return rows[0];
}
