-- Takes the next recorded messages for one consumer process. Those that were never tried go together (p_alone false); what
-- failed, was slow or ended its process once is handled alone (p_alone true). Among those that were never tried, one whose lease
-- ran out is only put apart: it is handled alone from then on. The attempt is counted before it starts, so a message
-- that kills the process is recognised: started runs ahead of finished, and a lease that ran out is an attempt that was lost.
-- Only the narrow row of what waits is locked and written, beside itself: no index of it changes, and the message is read.
-- The CTE is materialized: a rescan would take more than the limit. What is locked stays where it is, so it is found again by its ctid:
-- as an array, for a join by it may read all that waits.
-- sealed: only a process of ours opens the payload (SEAL_PAYLOADS).
-- p_consumers: those that the caller has code of, so that nobody burns the attempts of another's messages; null takes all.
-- Planned once for a session, not by every call, and never as a scan of the whole table, whatever statistics say of it.
create or replace function onceboard.claim_inbox(
  p_tenant text, p_owner text, p_lease_ms integer default 30000, p_limit integer default 1, p_alone boolean default false,
  p_consumers text[] default null
) returns table (
  id uuid, consumer text, source text, message_id text, type text, operation_id uuid, payload jsonb, headers jsonb, fence integer,
  attempts_started integer, attempts_finished integer, sealed boolean
) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with due as materialized (
    select d.ctid as at, d.id, d.owner, d.fence, d.attempts_started, d.consumer from onceboard.inbox_open d
    where d.tenant_id = p_tenant and d.next_attempt_at <= v_now
      and (d.locked_until is null or d.locked_until <= v_now) and d.alone = p_alone
      and (p_consumers is null or d.consumer = any (p_consumers))
    order by d.next_attempt_at
    limit p_limit
    for update skip locked),
  lost as (
    insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, owner, fence, ended_at, outcome)
    select p_tenant, (v_now at time zone 'utc')::date, gen_random_uuid(), 'inbox', due.id, due.consumer, due.attempts_started,
      due.owner, due.fence, v_now, 'lost'
    from due where p_alone and due.owner is not null),
  put_apart as (
    update onceboard.inbox_open o set alone = true
    where not p_alone and o.owner is not null and o.tenant_id = p_tenant and o.ctid = any (array(select due.at from due))),
  held as (
    update onceboard.inbox_open o
    set owner = p_owner, fence = o.fence + 1, attempts_started = o.attempts_started + 1,
        locked_until = v_now + make_interval(secs => p_lease_ms / 1000.0)
    where o.tenant_id = p_tenant and o.ctid = any (array(select due.at from due)) and (p_alone or o.owner is null)
    returning o.id, o.fence, o.attempts_started, o.attempts_finished, o.next_attempt_at)
  select held.id, m.consumer, m.source, m.message_id, m.type, m.operation_id, m.payload, m.headers, held.fence,
    held.attempts_started, held.attempts_finished, m.document_hash is not null
  from held
  -- The offset keeps it a look-up by id for each, however many the planner expects.
  cross join lateral (
    select i.consumer, i.source, i.message_id, i.type, i.operation_id, i.payload, i.headers, i.document_hash
    from onceboard.inbox_messages i where i.tenant_id = p_tenant and i.id = held.id offset 0) m
  order by held.next_attempt_at;
end $$;
