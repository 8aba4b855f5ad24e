import type { Queryable } from "@/db/client";
import type { AnswerOutcome } from "@/domain/idempotency/states";

/** Events of one operation that a proof reads. */
export const PROOF_EVENTS = 1_000;

export interface ProofEventRow {
  readonly id: string;
  readonly type: string;
  readonly outcome: AnswerOutcome | null;
  readonly request_id: string | null;
  readonly fence: number | null;
  readonly served_hash: string | null;
  readonly to: string | null;
  readonly actor: string | null;
}

/** The first events of an operation in order, one more than the limit. @param since its creation, RFC 3339 */
export async function selectProofEvents(
  q: Queryable,
  tenantId: string,
  operationId: string,
  since: string,
): Promise<ProofEventRow[]> {
  const { rows } = await q.query<ProofEventRow>({
    text: `select e.id, e.type, e.outcome, e.request_id, e.fence, encode(e.served_hash, 'hex') as served_hash,
  e.detail ->> 'to' as "to", e.actor
from onceboard.idempotency_events e
where e.tenant_id = $1 and e.operation_id = $2 and e.day >= ($3::timestamptz at time zone 'utc')::date
order by e.at, e.id limit $4`,
    values: [tenantId, operationId, since, PROOF_EVENTS + 1],
  });
  return rows;
}
