import type { Queryable } from "@/db/client";
import { isConsoleAction } from "@/db/sql-text";
import { CHECKLIST_ROWS, DAY_SINCE, ID_SINCE, SINCE } from "./frame";

export interface RetryFactsRow {
  readonly client: string;
  /** Requests of a key after its first one had been answered. */
  readonly retries: number;
  /** Before the least Retry-After, one second, was over. */
  readonly too_soon: number;
  /** After an answer that said that no retry heals it, and with the same outcome again. */
  readonly hopeless: number;
}

/** Clients that are told of, the worst first. */
const CLIENTS = 5;

/** An answer is on its way for so long: what comes sooner was sent before anybody had read it. */
const ON_ITS_WAY = "interval '50 milliseconds'";

/**
 * How clients retried in the newest answers of the last day. Two requests at the same time are no retry: a retry is asked
 * after the answer before it was read. Another command under a used key is no retry either, it is a conflict of its own.
 */
export async function selectRetryFacts(q: Queryable, tenantId: string): Promise<RetryFactsRow[]> {
  const { rows } = await q.query<RetryFactsRow>({
    text: `with sample as materialized (
  select e.operation_id, e.client, e.outcome, e.status, e.at, e.id, coalesce(e.latency_ms, 0) as latency_ms,
    e.detail ->> 'payloadHash' as hash
  from onceboard.idempotency_events e
  where e.tenant_id = $1 and e.day >= ${DAY_SINCE} and e.id >= ${ID_SINCE} and e.at >= ${SINCE} and e.outcome is not null
    and e.client is not null and not (${isConsoleAction("e.operation")})
  order by e.day desc, e.id desc limit $2
), pairs as (
  select s.client, s.outcome, s.at, s.hash, lag(s.hash) over w as hash_before, lag(s.outcome) over w as before, lag(s.status) over w as told,
    lag(s.at + s.latency_ms * interval '1 millisecond') over w as answered
  from sample s window w as (partition by s.operation_id, s.client order by s.at, s.id)
), retries as (
  select p.client, p.at >= p.answered + ${ON_ITS_WAY} as read,
    -- Both carry Retry-After; the 504 of a first request does not, and may be retried by the client's own schedule.
    p.before in ('in_progress', 'unknown') and p.told = 409 and p.at < p.answered + interval '1 second' as too_soon,
    p.before in ('conflict', 'expired_retry') and p.outcome = p.before and p.hash is not distinct from p.hash_before
      or p.before in ('executed', 'replayed') and p.told between 400 and 499 and p.outcome = 'replayed' as hopeless
  from pairs p where p.answered is not null and p.at >= p.answered
)
select r.client, count(*)::int as retries, count(*) filter (where r.read and r.too_soon)::int as too_soon,
  count(*) filter (where r.read and r.hopeless)::int as hopeless
from retries r group by r.client
order by count(*) filter (where r.read and (r.too_soon or r.hopeless)) desc, count(*) desc, r.client limit $3`,
    values: [tenantId, CHECKLIST_ROWS, CLIENTS],
  });
  return rows;
}
