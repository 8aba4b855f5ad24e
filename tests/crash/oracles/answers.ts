import { ORACLE_EFFECTS } from "./effects";
import type { Oracle } from "./oracle";

export const ANSWER_ORACLES: readonly Oracle[] = [
  {
    id: "Q1",
    name: "one_effect_per_intent",
    proves:
      "However often and from wherever a client asked for one thing, one thing was made, and only it was ever named.",
    needs: ["journal"],
    sql: `with asked as (
  select distinct j.intent, j.operation, j.key from witness.journal j where j.tenant_id = $1
), made as (
  select a.intent, e.effect from asked a
  join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation = a.operation and r.key = a.key
  join (${ORACLE_EFFECTS}) e on e.operation_id = r.operation_id where not e.failed
), named as (
  select j.intent, j.resource_type || ':' || j.resource_id as effect from witness.journal j
  where j.tenant_id = $1 and j.outcome in ('executed', 'replayed') and j.status between 200 and 299 and j.resource_id is not null
)
select intent as id, count(distinct effect) || ' effects: ' || string_agg(distinct effect, ', ') as why
from made group by intent having count(distinct effect) > 1
union all
select intent, count(distinct effect) || ' resources named: ' || string_agg(distinct effect, ', ')
from named group by intent having count(distinct effect) > 1`,
  },
  {
    id: "Q2",
    name: "no_lost_acknowledgement",
    proves:
      "A caller with the answer that it is done has a completed operation with that answer and that resource behind it; a caller with the answer that nothing happened, which asked no more, has nothing.",
    needs: ["journal"],
    sql: `select j.intent as id, 'answered ' || j.status || ' for ' || coalesce(j.resource_type || ':' || j.resource_id, 'nothing') || ' in phase '
  || j.phase || ', kept: ' || coalesce(string_agg(r.state || ' ' || coalesce(r.response_status::text, '-'), ', '), 'no operation') as why
from witness.journal j
left join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation = j.operation and r.key = j.key
where j.tenant_id = $1 and j.outcome in ('executed', 'replayed') and j.status between 200 and 299
group by j.id
having not coalesce(bool_or(r.state in ('COMPLETED', 'EXPIRED') and r.response_status = j.status
  and r.resource_id is not distinct from j.resource_id and r.resource_type is not distinct from j.resource_type), false)
union all
select j.intent, 'answered with other bytes than the operation served: ' || j.body_hash
from witness.journal j
join onceboard.idempotency_events e on e.tenant_id = $1 and e.operation_id = j.operation_id
where j.tenant_id = $1 and j.outcome in ('executed', 'replayed') and e.served_hash is not null
  and encode(e.served_hash, 'hex') <> j.body_hash
union all
select last.intent, 'answered that nothing happened (' || coalesce(last.code, last.outcome) || '), and ' || e.effect || ' was made'
from (select distinct on (j.client, j.intent) j.* from witness.journal j where j.tenant_id = $1 order by j.client, j.intent, j.id desc) last
join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation = last.operation and r.key = last.key
join (${ORACLE_EFFECTS}) e on e.operation_id = r.operation_id and e.done
where not last.retries and last.outcome in ('refused', 'error') and last.certainty = 'definite'`,
  },
  {
    id: "Q3",
    name: "replay_fidelity",
    proves: "A key has one final answer: the same status and the same bytes for everyone who got it.",
    needs: ["journal"],
    sql: `select j.operation || ' ' || j.key as id, string_agg(distinct j.status || ' ' || left(j.body_hash, 12), ', ') as why
from witness.journal j
where j.tenant_id = $1 and j.outcome in ('executed', 'replayed')
group by j.operation, j.key having count(distinct (j.status, j.body_hash)) > 1`,
  },
  {
    id: "Q4",
    name: "one_command_per_key",
    proves: "A key that was used for two commands executed one of them, and answered only that one.",
    needs: ["journal"],
    sql: `select j.operation || ' ' || j.key as id, count(distinct j.request_hash) || ' commands were answered as done' as why
from witness.journal j
where j.tenant_id = $1 and j.outcome in ('executed', 'replayed')
group by j.operation, j.key having count(distinct j.request_hash) > 1
union all
select j.intent, 'asked for ' || j.amount_minor || ', made ' || e.amount_minor
from witness.journal j
join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation = j.operation and r.key = j.key
join (${ORACLE_EFFECTS}) e on e.operation_id = r.operation_id and e.amount_minor is not null
where j.tenant_id = $1 and j.outcome in ('executed', 'replayed') and j.status between 200 and 299
  and j.amount_minor is not null and j.amount_minor <> e.amount_minor`,
  },
];
