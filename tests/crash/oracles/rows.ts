import { OPEN_STATES } from "@/domain/idempotency/states";
import { TRANSITIONS } from "@/domain/idempotency/transitions";
import { ORACLE_EFFECTS } from "./effects";
import { MESSAGE_FENCES, MESSAGE_TRANSITIONS } from "./messages";
import { against, type Oracle } from "./oracle";

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");
/** Every way that domain/idempotency/transitions.ts knows; none of them leads out of an end but by retention. */
const ALLOWED = TRANSITIONS.map(({ from, to }) => `('${from}', '${to}')`).join(", ");
/** Excuses a first try only where the events say that the provider left it unknown: whoever asks again learns the end (last.outcome). */
export const PROVIDER_LATE = "dependency.timeout";

export const ROW_ORACLES: readonly Oracle[] = [
  {
    id: "Q5",
    name: "one_event_per_effect",
    proves:
      "Every committed effect left exactly one event of its kind, and no event reports an effect that is not there.",
    needs: ["messages"],
    sql: `with effect as (select e.operation_id, e.event from (${ORACLE_EFFECTS}) e where e.done),
told as (
  -- A copy for a merchant's endpoint is of the same type and tells nobody of us; what was corrected ended in favour of another message.
  select m.operation_id, m.type as event, m.id from onceboard.outbox_messages m where m.tenant_id = $1 and not m.headers ? 'notification'
    and not (m.state = 'discarded' and exists (
      select from onceboard.message_corrections c where c.tenant_id = $1 and c.message_id = m.id and c.new_message_id is not null))
  union all
  select h.operation_id, h.type, h.id from onceboard.outbox_history h where h.tenant_id = $1 and not h.headers ? 'notification'
)
select coalesce(e.operation_id, t.operation_id) as id,
  count(e.operation_id) || ' times made, ' || count(distinct t.id) || ' events ' || coalesce(e.event, t.event) as why
from effect e full join told t on t.operation_id = e.operation_id and t.event = e.event
where coalesce(e.event, t.event) in ('payment.succeeded', 'refund.succeeded', 'payment.voided', 'account.opened')
group by 1, e.event, t.event having count(e.operation_id) <> 1 or count(distinct t.id) <> 1
union all
select coalesce(m.operation_id, t.operation_id), count(m.message_id) || ' messages written by the suite, ' || count(t.id) || ' in the outbox'
from (select * from witness.made m where m.tenant_id = $1) m
full join (select * from told t where t.event like 'crash.%') t on t.id = m.message_id
group by m.operation_id, t.operation_id, m.message_id having count(m.message_id) <> 1 or count(t.id) <> 1`,
  },
  {
    id: "Q9",
    name: "no_write_below_the_fence",
    proves:
      "Once somebody took an operation or a message over, the owner before wrote nothing: no send, no answer, no mark, no lower fence.",
    needs: ["transitions", "messages"],
    sql: `with raised as (
  select e.operation_id, e.fence, e.at from onceboard.idempotency_events e
  where e.tenant_id = $1 and e.type in ('claimed', 'taken_over')
)
select b.operation_id as id, 'answer kept with fence ' || b.fence || ' after fence ' || max(r.fence) as why
from onceboard.idempotency_bodies b join raised r on r.operation_id = b.operation_id
where b.tenant_id = $1 and b.kind = 'response' and r.fence > b.fence and r.at < b.created_at
group by b.operation_id, b.fence
union all
select p.operation_id, 'sent with fence ' || p.fence || ' after fence ' || max(r.fence)
from onceboard.provider_requests p join raised r on r.operation_id = p.operation_id
where p.tenant_id = $1 and r.fence > p.fence and r.at < p.sent_at
group by p.operation_id, p.id, p.fence
union all
select t.operation_id, 'fence ' || t.from_fence || ' became ' || t.to_fence
from witness.transitions t where t.tenant_id = $1 and t.to_fence < t.from_fence
union all
select r.operation_id, 'settled with fence ' || r.fence || ', taken over with ' || max(e.fence)
from onceboard.idempotency_requests r join raised e on e.operation_id = r.operation_id
where r.tenant_id = $1 and e.fence > r.fence
group by r.operation_id, r.fence
union all
${MESSAGE_FENCES}`,
  },
  {
    id: "Q10",
    name: "provider_agrees",
    proves:
      "The provider's own ledger holds one effect per key and per operation, and it and our rows name the same effects, amounts and ends.",
    needs: ["provider"],
    sql: `with v as (select * from witness.provider_ledger v where v.tenant_id = $1),
ours as (select e.* from (${ORACLE_EFFECTS}) e where e.provider_key is not null)
select v.provider_key as id, count(*) || ' effects accepted for one provider key' as why from v group by v.provider_key having count(*) > 1
union all
select r.operation || ' ' || r.key, count(*) || ' effects accepted for one key'
from v join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = v.operation_id
group by r.operation, r.key having count(*) > 1
union all
select v.provider_key, 'the provider has it as ' || v.status || ', we do not have it'
from v left join ours o on o.provider_key = v.provider_key where o.provider_key is null and v.status <> 'declined'
union all
select v.provider_key, 'the provider says ' || v.status || ', we say ' || case when o.done then 'done' when o.failed then 'failed' else 'open' end
from v join ours o on o.provider_key = v.provider_key
where (v.status = 'succeeded') <> o.done or (v.status = 'declined') <> o.failed
union all
select o.provider_key, 'done here, unknown to the provider'
from ours o left join v on v.provider_key = o.provider_key where o.done and v.provider_key is null
union all
select v.provider_key, 'the provider took ' || v.amount_minor || ' ' || v.currency || ', we say ' || o.amount_minor || ' ' || o.currency
from v join ours o on o.provider_key = v.provider_key where v.amount_minor <> o.amount_minor or v.currency <> o.currency
union all
${against("refunds_within_payment")}`,
  },
  {
    id: "Q11",
    name: "everything_settles",
    proves:
      "When the faults have ended nothing stays open, every client that goes on asking learns its outcome, and new work is done at the first try, or asked after where the provider did not answer in time.",
    needs: ["journal"],
    sql: `select r.operation_id::text as id, 'still ' || r.state || coalesce(' at ' || o.stage || ': ' || o.last_finding, '') as why
from onceboard.idempotency_requests r
left join onceboard.idempotency_open o on o.tenant_id = $1 and o.operation_id = r.operation_id
where r.tenant_id = $1 and r.state in (${quoted(OPEN_STATES)})
union all
${against("open_rows_match")}
union all
select last.intent, last.client || ' was answered at last: ' || last.outcome || coalesce(' ' || last.code, '')
from (select distinct on (j.client, j.intent) j.* from witness.journal j where j.tenant_id = $1 order by j.client, j.intent, j.id desc) last
where last.retries and last.outcome not in ('executed', 'replayed', 'conflict', 'purged')
union all
select j.intent, 'new work after the faults: ' || j.outcome || coalesce(' ' || j.code, '')
from witness.journal j where j.tenant_id = $1 and j.phase = 'tail' and j.outcome <> 'executed'
  and not exists (select from witness.journal e
    join onceboard.idempotency_requests r on r.tenant_id = $1 and r.key = e.key
    join onceboard.idempotency_events v on v.tenant_id = $1 and v.operation_id = r.operation_id and v.type = 'unknown' and v.code = e.code
    where e.tenant_id = $1 and e.intent = j.intent and e.id <= j.id and e.code = '${PROVIDER_LATE}')`,
  },
  {
    id: "Q12",
    name: "only_known_transitions",
    proves:
      "Every change of a state is one of the list in domain/idempotency/transitions.ts, or of a message's few; no end is left, no live lease is taken, no stage goes back.",
    needs: ["transitions", "messages"],
    sql: `select t.operation_id as id, t.from_state || ' became ' || t.to_state as why
from witness.transitions t
where t.tenant_id = $1 and t.from_state <> t.to_state and (t.from_state, t.to_state) not in (values ${ALLOWED})
union all
select l.operation_id, l.to_owner || ' took a lease of ' || coalesce(l.from_owner, 'nobody') || ' that had ' || l.lease_left || ' left'
from witness.leases l where l.tenant_id = $1 and l.to_fence > l.from_fence and l.lease_left > interval '0'
union all
select l.operation_id, coalesce(l.to_owner, 'nobody') || ' became owner with the fence ' || l.to_fence || ' of ' || l.from_owner
from witness.leases l where l.tenant_id = $1 and l.to_fence = l.from_fence and l.to_owner is not null and l.to_owner <> l.from_owner
union all
select l.operation_id, 'stage ' || l.from_stage || ' became ' || l.to_stage
from witness.leases l
where l.tenant_id = $1 and array_position(array['RECEIVED', 'LOCAL_PAYMENT_CREATED', 'PROVIDER_REQUEST_SENT', 'PROVIDER_CONFIRMED'], l.to_stage)
  < array_position(array['RECEIVED', 'LOCAL_PAYMENT_CREATED', 'PROVIDER_REQUEST_SENT', 'PROVIDER_CONFIRMED'], l.from_stage)
union all
${MESSAGE_TRANSITIONS}`,
  },
];
