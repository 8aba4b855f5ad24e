import type { Queryable } from "@/db/client";
import type { AnswerOutcome } from "@/domain/idempotency/states";

/** Answers read per operation: six are drawn, the rest is a number that stops here. */
const ANSWERS_DRAWN = 6;
const ANSWERS_COUNTED = 1_000;

/** What the answers strip and the six-mark chain of one operation are drawn from. */
export interface OperationSparklineRow {
  readonly operation_id: string;
  readonly answers: AnswerOutcome[];
  readonly answers_total: number;
  readonly provider: "prepared" | "sent" | "answered" | null;
  readonly outbox_pending: number;
  readonly outbox_dead: number;
  readonly outbox_published: number;
  readonly inbox_recorded: number;
  readonly inbox_processed: number;
  readonly inbox_dead: number;
  readonly ledger: number;
}

/**
 * Strips of a whole page in one statement, by the ids of the page.
 * @param since creation of the oldest operation of the page, RFC 3339: days before it are not looked at
 */
export async function selectOperationSparklines(
  q: Queryable,
  tenantId: string,
  operationIds: readonly string[],
  since: string,
): Promise<OperationSparklineRow[]> {
  if (operationIds.length === 0) return [];
  const { rows } = await q.query<OperationSparklineRow>({
    text: SPARKLINES,
    values: [tenantId, operationIds, since, ANSWERS_DRAWN, ANSWERS_COUNTED],
  });
  return rows;
}

const DAY = "($3::timestamptz at time zone 'utc')::date";
const SPARKLINES = `
select i.id as operation_id,
  coalesce((select array_agg(a.outcome order by a.at, a.id) from (
    select e.outcome, e.at, e.id from onceboard.idempotency_events e
    where e.tenant_id = $1 and e.operation_id = i.id and e.day >= ${DAY} and e.outcome is not null
    order by e.at, e.id limit $4) a), '{}') as answers,
  (select count(*)::int from (
    select 1 from onceboard.idempotency_events e
    where e.tenant_id = $1 and e.operation_id = i.id and e.day >= ${DAY} and e.outcome is not null limit $5) n) as answers_total,
  (select p.state from onceboard.provider_requests p
   where p.tenant_id = $1 and p.operation_id = i.id and p.kind <> 'lookup'
   order by p.prepared_at desc limit 1) as provider,
  x.pending as outbox_pending, x.dead as outbox_dead,
  (select count(*)::int from onceboard.outbox_history h
   where h.tenant_id = $1 and h.operation_id = i.id and h.day >= ${DAY}) as outbox_published,
  n.recorded as inbox_recorded, n.processed as inbox_processed, n.dead as inbox_dead,
  (select count(*)::int from onceboard.ledger_entries l where l.tenant_id = $1 and l.operation_id = i.id) as ledger
from unnest($2::uuid[]) i(id)
cross join lateral (
  select count(*) filter (where m.state = 'pending')::int as pending, count(*) filter (where m.state = 'dead')::int as dead
  from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = i.id) x
cross join lateral (
  select count(*) filter (where m.state = 'recorded')::int as recorded, count(*) filter (where m.state = 'processed')::int as processed,
    count(*) filter (where m.state = 'dead')::int as dead
  from onceboard.inbox_messages m where m.tenant_id = $1 and m.operation_id = i.id) n`;
