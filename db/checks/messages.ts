import { COPIES, DAY, DAYS, EFFECTS, INVARIANT_HOURS, LAG, MONEY_EVENTS, SINCE, type Invariant } from "./invariant";

/** What an effect tells the world arrives once. */
export const MESSAGES: readonly Invariant[] = [
  {
    name: "success_has_message",
    group: "Messages",
    label: "Every success left a message",
    sentence: "No payment, refund or void succeeded without an outbox row of the same commit.",
    page: "operations",
    looksAt: DAY,
    sql: `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state = 'COMPLETED' and r.operation in ${EFFECTS}
  and not exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = r.operation_id)
  and not exists (select 1 from onceboard.outbox_history h where h.tenant_id = $1 and h.operation_id = r.operation_id and h.day >= ${DAYS})`,
  },
  {
    name: "published_message_arrived",
    group: "Messages",
    label: "What was published has arrived",
    sentence: "Each message about money that was published to our own inbox has a row there after 5 minutes.",
    page: "outbox",
    looksAt: `messages published in the last ${String(INVARIANT_HOURS)} hours to our own inbox`,
    sql: `select h.id from onceboard.outbox_history h
where h.tenant_id = $1 and h.day >= ${DAYS} and h.published_at >= ${SINCE} and h.published_at < now() - ${LAG}
  and h.transport = 'http' and h.type in ${MONEY_EVENTS} and not ${COPIES("h.topic")}
  and not exists (select 1 from onceboard.topics t where t.tenant_id = $1 and t.topic = h.topic and t.destination is not null)
  and not exists (select 1 from onceboard.inbox_messages i where i.tenant_id = $1 and i.message_id = h.id::text)`,
  },
  {
    name: "dead_but_processed",
    group: "Messages",
    label: "Dead in the outbox, processed in the inbox",
    sentence: "No message is dead on our side while a consumer has processed it: sending it again would be in vain.",
    page: "outbox",
    looksAt: `dead messages of the last ${String(INVARIANT_HOURS)} hours`,
    sql: `select m.id from onceboard.outbox_messages m
join onceboard.inbox_messages i on i.tenant_id = m.tenant_id and i.message_id = m.id::text
where m.tenant_id = $1 and i.tenant_id = $1 and m.state = 'dead' and i.state = 'processed' and m.created_at >= ${SINCE}
group by m.id`,
  },
  {
    name: "no_payload_swap",
    group: "Messages",
    label: "No message id came with another payload",
    sentence: "A message that arrived again brought the payload of the first time.",
    page: "inbox",
    looksAt: `messages received in the last ${String(INVARIANT_HOURS)} hours`,
    sql: `select m.id from onceboard.inbox_messages m where m.tenant_id = $1 and m.received_at >= ${SINCE} and m.mismatches > 0`,
  },
  {
    name: "inbox_queue_matches",
    group: "Messages",
    label: "Every recorded message is in the queue",
    sentence: "What a consumer has yet to handle is in its work queue, and nothing else is, so that none is forgotten.",
    page: "inbox",
    looksAt: `messages received in the last ${String(INVARIANT_HOURS)} hours, and the whole work queue`,
    sql: `select m.id from onceboard.inbox_messages m
where m.tenant_id = $1 and m.received_at >= ${SINCE} and m.state = 'recorded'
  and not exists (select 1 from onceboard.inbox_open o where o.tenant_id = $1 and o.id = m.id)
union all
select o.id from onceboard.inbox_open o
where o.tenant_id = $1 and not exists (select 1 from onceboard.inbox_messages m
  where m.tenant_id = $1 and m.id = o.id and m.state = 'recorded')`,
  },
  {
    name: "dead_letters_are_dead",
    group: "Messages",
    label: "Every open dead letter has its dead message",
    sentence: "No dead letter is open whose message went on, and none whose message is gone.",
    page: "find",
    looksAt: `dead letters of the last ${String(INVARIANT_HOURS)} hours`,
    sql: `select d.message_row_id as id from onceboard.dead_letters d
where d.tenant_id = $1 and d.settled_at is null and d.dead_at >= ${SINCE} and not case d.side
  when 'outbox' then exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.id = d.message_row_id and m.state = 'dead')
  else exists (select 1 from onceboard.inbox_messages i where i.tenant_id = $1 and i.id = d.message_row_id and i.state = 'dead') end`,
  },
];

/** Newest entries of the audit that each check links; the whole chain is verified on the audit page. */
const AUDIT_LINKS = 500;

/** Our own books about people's work. */
export const RECORDS: readonly Invariant[] = [
  {
    name: "audit_chain_intact",
    group: "Records",
    label: "The audit chain is whole",
    sentence:
      "Each of the newest entries has its own hash and covers the one before it, and the last one is the chain's head.",
    page: "audit",
    looksAt: `the newest ${String(AUDIT_LINKS)} entries`,
    sql: `with newest as (
  select a.*, lag(a.sequence) over w as link, lag(a.hash) over w as covers from (
    select * from onceboard.audit_entries e where e.tenant_id = $1 order by e.sequence desc limit ${String(AUDIT_LINKS)}) a
  window w as (order by a.sequence))
select n.id from newest n
where n.link <> n.sequence - 1 or n.covers <> n.previous_hash
  or n.hash <> onceboard.audit_hash(n.previous_hash, n.tenant_id, n.sequence, n.at, n.actor_kind, n.actor_id, n.actor_name, n.action,
    n.subject_type, n.subject_id, n.reason, n.before, n.after, n.evidence, n.request_id)
union
select n.id from onceboard.audit_heads h
left join lateral (select * from newest order by sequence desc limit 1) n on true
where h.tenant_id = $1 and h.sequence > 0 and (n.sequence is distinct from h.sequence or n.hash is distinct from h.hash)`,
  },
  {
    name: "plan_items_settled",
    group: "Records",
    label: "A plan that is done has no waiting row",
    sentence: "Every row of a plan that ended by itself was done, skipped or failed.",
    page: "plans",
    looksAt: `plans that ended in the last ${String(INVARIANT_HOURS)} hours`,
    sql: `select p.id from onceboard.plans p
where p.tenant_id = $1 and p.state = 'done' and p.ended_at >= ${SINCE}
  and exists (select 1 from onceboard.plan_items i where i.tenant_id = $1 and i.plan_id = p.id and i.state = 'waiting')`,
  },
];
