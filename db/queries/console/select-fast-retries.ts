import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

/** Newest events of the tenant that are looked through: what the page costs does not grow with its history. */
export const EVENTS_LOOKED_AT = 5_000;
const SHOWN = 10;

export interface FastRetryRow {
  readonly operation_id: string;
  readonly operation: string;
  readonly at: string;
  readonly gap_ms: number;
  readonly outcome: string;
}

/** Retries of one client that came sooner than the schedule allows, newest first, among the newest events. */
export async function selectFastRetries(
  q: Queryable,
  tenantId: string,
  client: string,
  fastMs: number,
): Promise<FastRetryRow[]> {
  const { rows } = await q.query<FastRetryRow>({
    text: `select e.operation_id, e.operation, ${iso("e.at")} as at, e.delay_ms as gap_ms, e.outcome
from (select v.operation_id, v.operation, v.at, v.delay_ms, v.outcome, v.client from onceboard.idempotency_events v
  where v.tenant_id = $1 and v.day >= (now() at time zone 'utc')::date - 1 order by v.day desc, v.id desc limit $4) e
where e.client = $2 and e.delay_ms < $3 and e.outcome is not null and e.outcome <> 'executed' and e.operation not like 'admin.%'
order by e.at desc limit $5`,
    values: [tenantId, client, fastMs, EVENTS_LOOKED_AT, SHOWN],
  });
  return rows;
}
