import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

export interface InboxFactsRow {
  readonly id: string;
  readonly state: "recorded" | "processed" | "dead" | "discarded";
  readonly consumer: string;
  readonly leased: boolean;
  readonly locked_until: string | null;
  readonly processed_at: string | null;
  /** What its consumer said of it. */
  readonly result: string | null;
  readonly attempts_started: number;
  readonly attempts_finished: number;
  readonly mismatches: number;
  readonly last_error_code: string | null;
  /** State of the operation it tells of, if that is still kept. */
  readonly operation_state: string | null;
}

/** What decides about messages of the inbox: one statement for all of these ids. */
export async function inboxFacts(q: Queryable, tenantId: string, ids: readonly string[]): Promise<InboxFactsRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await q.query<InboxFactsRow>({
    name: "inbox_facts",
    text: `select m.id, m.state, m.consumer, coalesce(o.locked_until > clock_timestamp(), false) as leased, ${iso("o.locked_until")} as locked_until,
  ${iso("m.processed_at")} as processed_at, m.result, coalesce(o.attempts_started, m.attempts_started) as attempts_started,
  coalesce(o.attempts_finished, m.attempts_finished) as attempts_finished, m.mismatches, m.last_error_code, r.state as operation_state
from onceboard.inbox_messages m
left join onceboard.inbox_open o on o.tenant_id = m.tenant_id and o.id = m.id
left join onceboard.idempotency_requests r on r.tenant_id = m.tenant_id and r.operation_id = m.operation_id
where m.tenant_id = $1 and m.id = any ($2::uuid[])`,
    values: [tenantId, ids],
  });
  return rows;
}
