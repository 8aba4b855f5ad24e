import type { Queryable } from "@/db/client";

export interface InboxForRequeue {
  readonly state: "recorded" | "processed" | "dead" | "discarded";
  readonly consumer: string;
  readonly result: string | null;
  readonly processed_at: Date | null;
  readonly leased: boolean;
  readonly locked_until: Date | null;
  readonly attempts_started: number;
  readonly attempts_finished: number;
  readonly mismatches: number;
  readonly last_error_code: string | null;
  readonly operation_state: string | null;
}

/** What decides whether a message may be handled again. */
export async function inboxForRequeue(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<InboxForRequeue | undefined> {
  const { rows } = await db.query<InboxForRequeue>({
    name: "inbox_for_requeue",
    text: `select m.state, m.consumer, m.result, m.processed_at, coalesce(m.locked_until > clock_timestamp(), false) as leased, m.locked_until,
             m.attempts_started, m.attempts_finished, m.mismatches, m.last_error_code, r.state as operation_state
           from onceboard.inbox_messages m
           left join onceboard.idempotency_requests r on r.tenant_id = m.tenant_id and r.operation_id = m.operation_id
           where m.tenant_id = $1 and m.id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}
