/** Facts of one operation by SQL: `$1` tenant, `$2` operation, `$3` the moment at which the page was read. */
export const OPERATION_FACTS_SQL = `
with r as (
  select q.*, coalesce(o.checks, 0) as checks, coalesce(o.last_finding = 'kept waiting by a person', false) as kept, o.owner, o.locked_until, o.stage, o.operation_id is not null as is_open,
    q.state = 'IN_PROGRESS' and o.locked_until <= $3::timestamptz as stale,
    q.operation in ('payments.create', 'refunds.create', 'payments.void') as pays,
    q.operation in ('payments.create', 'refunds.create', 'payments.void', 'accounts.create') as ours,
    coalesce((select (p.overrides ->> 'maxAttempts')::int from onceboard.operation_policies p where p.tenant_id = q.tenant_id and p.operation = q.operation), 25) as most,
    right(q.key, 47) = ' (expired ' || q.operation_id || ')' as given,
    q.expires_at <= $3::timestamptz or q.state = 'EXPIRED' as over,
    q.state = 'COMPLETED' or (q.state = 'EXPIRED' and q.response_status < 400) as ok,
    q.state = 'FAILED_REPLAYABLE' or (q.state = 'EXPIRED' and q.response_status >= 400) as refused,
    q.state = 'FAILED_RETRYABLE' or (q.state = 'EXPIRED' and q.response_status is null) as no_effect,
    q.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY') as open
  from onceboard.idempotency_requests q
  left join onceboard.idempotency_open o on o.tenant_id = q.tenant_id and o.operation_id = q.operation_id
  where q.tenant_id = $1 and q.operation_id = $2),
p as (select * from onceboard.provider_requests where tenant_id = $1 and operation_id = $2),
fx as (select * from p where kind <> 'lookup'),
-- Signed events by the provider's key, whatever operation their row names.
hook as (
  select m.payload -> 'data' ->> 'amount' as amount, m.payload -> 'data' ->> 'currency' as currency, m.payload -> 'data' ->> 'status' as status, m.payload -> 'data' ->> 'providerKey' as key, m.received_at from onceboard.inbox_messages m
  where m.tenant_id = $1 and m.source = 'provider' and m.payload -> 'data' ->> 'providerKey' in (select provider_key from p)),
last as (select * from fx order by prepared_at desc, id desc limit 1),
ev as (select * from onceboard.idempotency_events where tenant_id = $1 and operation_id = $2),
ans as (select * from ev where outcome is not null),
out as (
  select id, state, attempts_started as tries from onceboard.outbox_messages where tenant_id = $1 and operation_id = $2 and not headers ? 'notification'
  union all
  select id, 'published', attempts_started from onceboard.outbox_history where tenant_id = $1 and operation_id = $2 and not headers ? 'notification'),
own as (
  select m.* from onceboard.inbox_messages m where m.tenant_id = $1 and m.operation_id = $2 and m.source = 'onceboard'),
inb as (
  select m.state, coalesce(o.attempts_started, m.attempts_started) as tries, m.received_at, m.id from onceboard.inbox_messages m
  left join onceboard.inbox_open o on o.tenant_id = m.tenant_id and o.id = m.id where m.tenant_id = $1 and m.operation_id = $2),
ledger as (select * from payments.ledger_entries where tenant_id = $1 and operation_id = $2),
-- What may be held for or against a doubt: each signed webhook, and once each our look-ups, the provider's answer, the ledger.
words as (
  select 'hook' || row_number() over () as source, case
      when h.currency is not null and (h.currency <> r.currency or h.amount <> r.amount_minor::text) then 'other'
      when h.status = 'succeeded' then 'yes' when h.status in ('declined', 'failed') then 'no' when h.status in ('processing', 'pending') then 'pending' end as word
  from hook h, r where h.key = (select provider_key from p order by prepared_at desc limit 1) or h.status = 'succeeded'
  union
  select case when p.kind = 'lookup' then 'look-up' else 'answer' end, case p.outcome when 'succeeded' then 'yes' when 'declined' then 'no' when 'contradicting' then 'other' end
  from p where p.provider_key = (select provider_key from p order by prepared_at desc limit 1) or p.outcome = 'succeeded'
  union
  select 'look-up', 'pending' from (
    select * from p where kind = 'lookup' and answered_at is not null order by answered_at desc limit 1) l
  where l.outcome = 'processing' and not exists (select 1 from p where kind = 'lookup' and outcome in ('succeeded', 'declined', 'contradicting'))
  union
  select 'ledger', 'yes' from ledger),
f as (
  select r.*, pays or exists (select 1 from p) as called, exists (select 1 from ev where type = 'claimed') as claimed_before,
    (select count(*)::int from words where word = 'yes') as yes, (select count(*)::int from words where word = 'no') as no,
    (select count(*)::int from words where word = 'pending') as pending, (select count(*)::int from words where word = 'other') as other,
    (select ev.detail ->> 'decision' from ev where ev.type = 'resolved' and ev.fence = r.fence and not r.open
       and ev.detail ->> 'decision' in ('succeeded', 'failed') limit 1) as hand,
    exists (select 1 from p where outcome = 'succeeded') or exists (select 1 from hook where status = 'succeeded') as acted,
    exists (select 1 from p where outcome = 'declined' and provider_key = (select provider_key from last))
      or exists (select 1 from hook where status in ('declined', 'failed') and key = (select provider_key from last)) as denied,
    (select count(distinct provider_reference)::int from p where outcome = 'succeeded') as objects,
    (select count(*)::int from fx where state <> 'prepared') as sent,
    (select count(distinct provider_key)::int from fx where state <> 'prepared') as sent_keys,
    (select count(*)::int from p where kind = 'lookup') as looked,
    (select count(*)::int from fx) as calls,
    (select provider from p order by prepared_at desc limit 1) as provider,
    (select case when provider like 'sandbox%' then provider in ('sandbox', 'sandbox-query-only') end from p order by prepared_at desc limit 1) as queryable,
    (select status from hook where key = (select provider_key from last) order by received_at desc limit 1) as newest_hook,
    (select count(*)::int from ans where served_hash is not null) as served,
    (select count(distinct served_hash)::int from ans) as bytes,
    (select count(*)::int from ans where outcome = 'conflict') as conflicts,
    (select count(*)::int from ans where outcome <> 'conflict') as answered,
    (select count(*)::int from ledger) as entries, (select count(*)::int from out) as outs, (select count(*)::int from inb) as ins,
    (select tries from out where state = 'dead' limit 1) as dead_out, (select tries from inb where state = 'dead' order by received_at, id limit 1) as dead_in,
    $3::timestamptz - coalesce(r.completed_at, r.created_at) > interval '60 seconds' as late
  from r),
g as (
  select f.*, hand is not null and ((hand = 'succeeded' and denied) or (hand = 'failed' and acted)) as against,
    hand is not null and ((hand = 'succeeded' and acted and not denied) or (hand = 'failed' and denied and not acted)) as confirmed,
    pays and ok and entries = 0 and state = 'COMPLETED' as owed
  from f),
h as (select g.*, hand is not null and not confirmed as decided, open and (stale or state = 'UNKNOWN_REQUIRES_RECOVERY') as doubt from g)`;
