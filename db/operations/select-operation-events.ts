import type { Queryable } from "@/db/client";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import { iso } from "../sql-text";

/** Events of one operation that its page reads; a key that was retried more often says so. */
export const OPERATION_EVENTS = 500;

export interface OperationEventRow {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly outcome: AnswerOutcome | null;
  readonly request_id: string | null;
  readonly client: string | null;
  readonly actor: string | null;
  readonly fence: number | null;
  readonly attempt: number | null;
  readonly delay_ms: number | null;
  readonly latency_ms: number | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly served_hash: string | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/** The first events of an operation in order, one more than the limit. @param since its creation, RFC 3339 */
export async function selectOperationEvents(
  q: Queryable,
  tenantId: string,
  operationId: string,
  since: string,
): Promise<OperationEventRow[]> {
  const { rows } = await q.query<OperationEventRow>({
    text: `select e.id, ${iso("e.at")} as at, e.type, e.outcome, e.request_id, e.client, e.actor, e.fence, e.attempt, e.delay_ms, e.latency_ms,
  e.status, e.code, encode(e.served_hash, 'hex') as served_hash, e.detail
from onceboard.idempotency_events e
where e.tenant_id = $1 and e.operation_id = $2 and e.day >= ($3::timestamptz at time zone 'utc')::date
order by e.at, e.id limit $4`,
    values: [tenantId, operationId, since, OPERATION_EVENTS + 1],
  });
  return rows;
}
