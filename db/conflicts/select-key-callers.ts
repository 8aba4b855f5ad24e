import type { Queryable } from "@/db/client";
import { iso } from "@/db/sql-text";

/** Callers of one key that are told apart; a key has one client, or somebody guesses keys. */
const CALLERS = 20;

export interface KeyWindowRow {
  readonly at: string;
  readonly window_hours: number;
  readonly expires_at: string;
  readonly open: boolean;
}

/** How long a key stands for its operation. */
export async function selectKeyWindow(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<KeyWindowRow | undefined> {
  const { rows } = await q.query<KeyWindowRow>({
    text: `select ${iso("now()")} as at, greatest(1, round(extract(epoch from r.expires_at - r.created_at) / 3600))::int as window_hours,
  ${iso("r.expires_at")} as expires_at, r.expires_at > now() as open
from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows[0];
}

export interface KeyCallerRow {
  readonly client: string;
  readonly requests: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly last_outcome: string;
}

/** Who used the key within its last window, the one that came last first. */
export async function selectKeyCallers(
  q: Queryable,
  tenantId: string,
  operationId: string,
  windowHours: number,
): Promise<KeyCallerRow[]> {
  const { rows } = await q.query<KeyCallerRow>({
    text: `select coalesce(e.client, '') as client, count(*)::int as requests, ${iso("min(e.at)")} as first_at, ${iso("max(e.at)")} as last_at,
  (array_agg(e.outcome order by e.at desc, e.id desc))[1] as last_outcome
from onceboard.idempotency_events e
where e.tenant_id = $1 and e.operation_id = $2 and e.outcome is not null and e.at > now() - make_interval(hours => $3)
  and e.day >= ((now() - make_interval(hours => $3)) at time zone 'utc')::date
group by 1 order by max(e.at) desc limit $4`,
    values: [tenantId, operationId, windowHours, CALLERS],
  });
  return rows;
}

/** Newest events of the tenant that are looked through: what the page costs does not grow with its history. */
export const EVENTS_SCANNED = 5_000;
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
    values: [tenantId, client, fastMs, EVENTS_SCANNED, SHOWN],
  });
  return rows;
}
