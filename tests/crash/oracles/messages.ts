import { against, type Oracle } from "./oracle";

/** Every message that an outbox of the tenant has or had. */
const OUTBOX = `
  select m.id, m.operation_id, m.type, m.aggregate_type, m.aggregate_id, m.topic, m.position
  from onceboard.outbox_messages m where m.tenant_id = $1
  union all
  select h.id, h.operation_id, h.type, h.aggregate_type, h.aggregate_id, h.topic, h.position
  from onceboard.outbox_history h where h.tenant_id = $1`;

/** Part of Q9: only the owner of the lease changes a message; anybody else has to take it over first, which raises the fence. */
export const MESSAGE_FENCES = `select w.row_id, w.side || ': fence ' || w.from_fence || ' became ' || w.to_fence
from witness.messages w where w.tenant_id = $1 and w.to_fence < w.from_fence
union all
-- A message that waits again goes on above its last fence.
select w.row_id, w.side || ': waits with fence ' || w.to_fence || ' after ' || before.fence
from witness.messages w
join lateral (select max(greatest(b.from_fence, b.to_fence)) as fence from witness.messages b
  where b.tenant_id = $1 and b.row_id = w.row_id and b.id < w.id and b.side = 'inbox lease') before on before.fence >= w.to_fence
where w.tenant_id = $1 and w.side = 'inbox lease' and w.from_state = 'none'
union all
select w.row_id, w.side || ': ' || w.actor || ' made it ' || w.to_state || ' while ' || w.from_owner || ' held it with fence ' || w.from_fence
from witness.messages w
where w.tenant_id = $1 and w.from_owner is not null and w.from_owner <> 'operator' and w.actor <> w.from_owner
  and not (w.from_state = w.to_state and w.to_owner is not null and w.to_fence > w.from_fence)`;

/** Part of Q12. A message is \`gone\` from the outbox when it is published, and from the inbox when it is purged; its lease is when it ends. */
export const MESSAGE_TRANSITIONS = `select w.row_id, w.side || ': ' || w.from_state || ' became ' || w.to_state
from witness.messages w
where w.tenant_id = $1 and w.from_state <> w.to_state and (w.side, w.from_state, w.to_state) not in (values
  ('outbox', 'none', 'pending'), ('outbox', 'pending', 'gone'), ('outbox', 'pending', 'dead'), ('outbox', 'dead', 'pending'),
  ('outbox', 'dead', 'discarded'),
  ('inbox', 'none', 'recorded'), ('inbox', 'recorded', 'processed'), ('inbox', 'recorded', 'dead'), ('inbox', 'dead', 'recorded'),
  ('inbox', 'dead', 'discarded'), ('inbox', 'processed', 'gone'),
  ('inbox lease', 'none', 'waiting'), ('inbox lease', 'waiting', 'gone'))
union all
select w.row_id, w.side || ': ' || w.to_owner || ' took a lease of ' || coalesce(w.from_owner, 'nobody') || ' that had ' || w.lease_left || ' left'
from witness.messages w
where w.tenant_id = $1 and w.to_fence > w.from_fence and w.to_owner is not null and w.lease_left > interval '0'
union all
select w.row_id, w.side || ': published without a lease' from witness.messages w
where w.tenant_id = $1 and w.side = 'outbox' and w.from_state = 'pending' and w.to_state = 'gone' and w.from_owner is null
union all
select w.row_id, w.side || ': ended without a lease' from witness.messages w
where w.tenant_id = $1 and w.side = 'inbox lease' and w.to_state = 'gone' and w.from_owner is null`;

export const MESSAGE_ORACLES: readonly Oracle[] = [
  {
    id: "Q6",
    name: "no_ghost",
    proves:
      "Nothing is in an inbox, and no notification was sent, that no committed transaction wrote into an outbox; no effect stands without its processed message.",
    needs: ["messages"],
    sql: `with known as (select o.id::text as id from (${OUTBOX}) o)
select i.message_id as id, i.consumer || ' holds ' || i.type || ', which no outbox has' as why
from onceboard.inbox_messages i left join known k on k.id = i.message_id
where i.tenant_id = $1 and i.source = 'onceboard' and k.id is null
union all
select e.message_id, 'an effect of ' || e.consumer || ', and its message is ' || coalesce(i.state, 'not there')
from witness.effects e left join onceboard.inbox_messages i on i.tenant_id = $1 and i.id = e.inbox_id
where e.tenant_id = $1 and i.state is distinct from 'processed'
union all
select n.notification_key, 'marked as sent, and its message was not published'
from onceboard.notifications n
where n.tenant_id = $1 and n.state = 'sent' and not exists (
  select 1 from onceboard.outbox_history h where h.tenant_id = $1 and h.id = n.outbox_id)`,
  },
  {
    id: "Q7",
    name: "handled_once",
    proves:
      "However often a message was sent, each consumer has it once and its effect is there once: one ledger entry, one receipt, one row of the suite's own consumer.",
    needs: ["messages"],
    sql: `select e.message_id as id, e.consumer || ' handled it ' || count(*) || ' times' as why
from witness.effects e where e.tenant_id = $1 group by e.consumer, e.message_id having count(*) > 1
union all
select i.message_id, i.consumer || ' has it ' || count(*) || ' times'
from onceboard.inbox_messages i where i.tenant_id = $1 group by i.consumer, i.source, i.message_id having count(*) > 1
union all
select i.message_id, 'processed by ' || i.consumer || ', and there is no effect'
from onceboard.inbox_messages i
where i.tenant_id = $1 and i.consumer = 'witness' and i.state = 'processed'
  and not exists (select 1 from witness.effects e where e.tenant_id = $1 and e.message_id = i.message_id)
union all
select i.message_id, 'processed by the ledger, which has ' || count(l.id) || ' entries of it'
from onceboard.inbox_messages i
left join payments.ledger_entries l on l.tenant_id = $1 and l.operation_id = i.operation_id
where i.tenant_id = $1 and i.consumer = 'ledger' and i.state = 'processed'
  and i.type in ('payment.succeeded', 'refund.succeeded', 'payment.voided')
group by i.message_id having count(l.id) <> 1
union all
select l.id::text, 'an entry of the ledger, and no processed message of operation ' || l.operation_id
from payments.ledger_entries l
where l.tenant_id = $1 and not exists (
  select 1 from onceboard.inbox_messages i
  where i.tenant_id = $1 and i.operation_id = l.operation_id and i.consumer = 'ledger' and i.state = 'processed')
union all
select n.operation_id::text, count(*) || ' receipts of one operation'
from onceboard.notifications n where n.tenant_id = $1 and n.kind = 'receipt' group by n.operation_id having count(*) > 1`,
  },
  {
    id: "Q8",
    name: "one_place_per_message",
    proves:
      "A message is scheduled, held under a lease, published or processed, dead with one open dead letter, or discarded: exactly one of these.",
    needs: [],
    sql: `select m.id::text as id, 'in the outbox as ' || m.state || ', and published' as why
from onceboard.outbox_messages m join onceboard.outbox_history h on h.tenant_id = $1 and h.id = m.id where m.tenant_id = $1
union all
select h.id::text, 'published ' || count(*) || ' times'
from onceboard.outbox_history h where h.tenant_id = $1 group by h.id having count(*) > 1
union all
select r.id::text, r.side || ': dead, with ' || count(d.id) || ' open dead letters'
from (
  select 'outbox' as side, m.id from onceboard.outbox_messages m where m.tenant_id = $1 and m.state = 'dead'
  union all
  select 'inbox', i.id from onceboard.inbox_messages i where i.tenant_id = $1 and i.state = 'dead') r
left join onceboard.dead_letters d on d.tenant_id = $1 and d.side = r.side and d.message_row_id = r.id and d.settled_at is null
group by r.side, r.id having count(d.id) <> 1
union all
${against("dead_letters_are_dead")}
union all
${against("inbox_queue_matches")}
union all
select m.id::text, 'outbox: ' || m.state || ' with owner ' || coalesce(m.owner, 'nobody') || ' until ' || coalesce(m.locked_until::text, 'never')
from onceboard.outbox_messages m
where m.tenant_id = $1 and ((m.owner is null) <> (m.locked_until is null) or (m.state <> 'pending' and m.owner is not null))
union all
select i.id::text, 'inbox: ' || i.state || ' with owner ' || coalesce(o.owner, 'nobody') || ', next attempt ' || coalesce(o.next_attempt_at::text, 'never')
from onceboard.inbox_messages i left join onceboard.inbox_open o on o.tenant_id = $1 and o.id = i.id
where i.tenant_id = $1 and ((o.owner is null) <> (o.locked_until is null) or (i.state = 'processed') <> (i.processed_at is not null)
  or o.fence < i.fence)`,
  },
  {
    id: "Q17",
    name: "order_per_aggregate",
    proves:
      "Messages of one aggregate are published in the order in which they were written, and arrive so for the first time where HTTP carries them.",
    needs: [],
    sql: `with published as (
  select h.id, h.published_at, h.position, h.aggregate_type, h.aggregate_id, h.transport,
    lag(h.published_at) over same as published_before, lag(h.position) over same as position_before
  from onceboard.outbox_history h where h.tenant_id = $1 and h.transport is not null
  window same as (partition by h.aggregate_type, h.aggregate_id order by h.position)),
arrived as (
  select i.message_id, i.consumer, i.received_at, p.position,
    lag(i.received_at) over (partition by i.consumer, p.aggregate_type, p.aggregate_id order by p.position) as received_before
  from published p join onceboard.inbox_messages i on i.tenant_id = $1 and i.source = 'onceboard' and i.message_id = p.id::text
  where p.transport = 'http')
select id::text as id, 'position ' || position || ' was published before ' || position_before as why
from published where published_before > published_at
union all
select a.message_id, a.consumer || ' got position ' || a.position || ' before the one that stands before it'
from arrived a where a.received_before > a.received_at
union all
select p.id::text, 'published while position ' || m.position || ' of its aggregate waits'
from published p join onceboard.outbox_messages m
  on m.tenant_id = $1 and m.aggregate_type = p.aggregate_type and m.aggregate_id = p.aggregate_id and m.position < p.position
where m.state <> 'discarded'`,
  },
  {
    id: "Q18",
    name: "everything_arrives",
    proves:
      "When the faults have ended, everything that was published is in the inbox of every consumer that subscribed, and is handled; only what nobody can handle is dead.",
    needs: ["messages"],
    sql: `with published as (
  select h.id, h.type, h.transport from onceboard.outbox_history h
  where h.tenant_id = $1 and h.transport is not null and h.topic <> 'mail' and h.topic not like 'webhook:%')
select p.id::text as id, p.type || ' was published over ' || p.transport || ', and is not in the inbox of ' || s.consumer as why
from published p join witness.subscriptions s on s.type = p.type
left join onceboard.inbox_messages i
  on i.tenant_id = $1 and i.source = 'onceboard' and i.message_id = p.id::text and i.consumer = s.consumer
where i.id is null
union all
select m.id::text, 'outbox: still ' || m.state || ' in ' || m.topic || coalesce(': ' || m.last_error, '')
from onceboard.outbox_messages m join witness.drained d on d.tenant_id = $1
where m.tenant_id = $1 and m.state in ('pending', 'dead')
union all
select i.message_id, 'inbox: still ' || i.state || ' for ' || i.consumer || coalesce(': ' || i.last_error, '')
from onceboard.inbox_messages i join witness.drained d on d.tenant_id = $1
where i.tenant_id = $1 and i.state in ('recorded', 'dead') and not (i.state = 'dead' and i.consumer = 'witness' and exists (
  select 1 from witness.troubles t where t.tenant_id = $1 and t.message_id = i.message_id and t.until_attempt is null))
union all
select n.notification_key, 'a notification that was not sent'
from onceboard.notifications n join witness.drained d on d.tenant_id = $1
where n.tenant_id = $1 and n.state = 'pending'`,
  },
  {
    id: "Q19",
    name: "corrected_once",
    proves:
      "A correction that was approved is one new message in the place of the old one, which never left: plan, dead letter, message and audit name each other, all of them or none.",
    needs: ["messages"],
    sql: `with corrections as (
  select c.plan_id, c.message_id, c.new_message_id as sent, c.body is not null as waits, p.state,
    (select count(*) from (
      select m.id from onceboard.outbox_messages m where m.tenant_id = $1 and m.headers ->> 'corrects' = c.message_id::text
      union all
      select h.id from onceboard.outbox_history h where h.tenant_id = $1 and h.headers ->> 'corrects' = c.message_id::text) n) as made,
    (select m.state from onceboard.outbox_messages m where m.tenant_id = $1 and m.id = c.message_id) as old,
    (select count(*) from onceboard.dead_letters d where d.tenant_id = $1 and d.id = c.dead_letter_id
      and d.settlement = 'corrected' and d.corrected_by = c.new_message_id) as ended,
    (select count(*) from onceboard.audit_entries a where a.tenant_id = $1 and a.action = 'outbox.correct'
      and a.subject_id = c.message_id::text and a.after ->> 'correctedBy' = c.new_message_id::text) as kept,
    (select count(*) from onceboard.audit_entries a where a.tenant_id = $1 and a.action = 'plans.decide' and a.subject_id = c.plan_id::text) as decided
  from onceboard.message_corrections c join onceboard.plans p on p.tenant_id = c.tenant_id and p.id = c.plan_id where c.tenant_id = $1)
select c.message_id::text as id, 'corrected with ' || c.made || ' new messages, itself ' || coalesce(c.old, 'published') || ', the plan ' || c.state
  || ', dead letters ended ' || c.ended || ', audit ' || c.kept || ' and ' || c.decided as why
from corrections c
where c.sent is not null and (c.made, c.old, c.state, c.ended, c.kept, c.decided, c.waits) is distinct from (1, 'discarded', 'done', 1, 1, 1, false)
union all
select c.message_id::text, 'not corrected, with ' || c.made || ' new messages, itself ' || coalesce(c.old, 'published') || ', the plan ' || c.state
from corrections c
where c.sent is null and (c.made, c.old, c.state, c.decided, c.waits) is distinct from (0, 'dead', 'awaiting_approval', 0, true)
union all
select c.message_id::text, 'its correction was never sent' from corrections c join witness.drained d on d.tenant_id = $1 where c.sent is null`,
  },
];
