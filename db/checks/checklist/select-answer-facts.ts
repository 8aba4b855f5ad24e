import type { Queryable } from "@/db/client";
import { isConsoleAction } from "@/db/sql-text";
import { CHECKLIST_ROWS, CHECKLIST_SAMPLES, DAY_SINCE, ID_SINCE, SINCE } from "./frame";

export interface AnswerFactsRow {
  readonly looked: number;
  /** Replays whose bytes or status were compared. */
  readonly replays: number;
  readonly differing: number;
  readonly differing_ids: string[];
  /** Answers without the attempt or the request that they belong to. */
  readonly untraceable: number;
  readonly untraceable_ids: string[];
  readonly conflicts: number;
  /** Conflicts that were answered with another status than 409 or 422. */
  readonly accepted_conflicts: number;
  readonly accepted_conflict_ids: string[];
}

/** The newest answers of the last day: whether replays were the first answer, and whether each can be followed up. */
export async function selectAnswerFacts(q: Queryable, tenantId: string): Promise<AnswerFactsRow> {
  const { rows } = await q.query<AnswerFactsRow>({
    text: `with sample as materialized (
  select e.operation_id, e.outcome, e.status, e.served_hash, e.request_id, e.attempt from onceboard.idempotency_events e
  where e.tenant_id = $1 and e.day >= ${DAY_SINCE} and e.id >= ${ID_SINCE} and e.at >= ${SINCE} and e.outcome is not null
    and not (${isConsoleAction("e.operation")})
  order by e.day desc, e.id desc limit $2
), served as (
  select s.operation_id, count(*) filter (where s.outcome = 'replayed')::int as replays,
    count(distinct (s.status, s.served_hash)) > 1 as differs
  from sample s where s.outcome in ('executed', 'replayed') and s.served_hash is not null
  group by s.operation_id having count(*) filter (where s.outcome = 'replayed') > 0
), compared as (
  -- A replay by reference shows today's state on purpose; its policy says so elsewhere.
  select v.* from served v
  join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = v.operation_id and r.replay = 'stored'
), untraceable as (
  select s.operation_id from sample s where s.request_id is null or (s.attempt is null and s.outcome in ('executed', 'failed', 'unknown'))
), conflicts as (
  select s.operation_id, s.status in (409, 422) as refused from sample s where s.outcome = 'conflict'
)
select (select count(*)::int from sample) as looked,
  (select coalesce(sum(c.replays), 0)::int from compared c) as replays,
  (select count(*)::int from compared c where c.differs) as differing,
  array(select c.operation_id::text from compared c where c.differs limit $3) as differing_ids,
  (select count(*)::int from untraceable) as untraceable,
  array(select distinct u.operation_id::text from untraceable u limit $3) as untraceable_ids,
  (select count(*)::int from conflicts) as conflicts,
  (select count(*)::int from conflicts c where c.refused is not true) as accepted_conflicts,
  array(select distinct c.operation_id::text from conflicts c where c.refused is not true limit $3) as accepted_conflict_ids`,
    values: [tenantId, CHECKLIST_ROWS, CHECKLIST_SAMPLES],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the answers returned no row");
  return row;
}
