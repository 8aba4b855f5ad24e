-- Takes the next due messages of one topic for one relay: by state with SKIP LOCKED, never by position (C23), at most one per
-- aggregate and only its oldest, so order holds per aggregate while others pass. A message whose aggregate cannot go on is put
-- off, so that a long line behind a stuck one is not looked at again by every claim; publishing the head wakes the next one.
-- Counts the attempt before it starts; a lease that ran out is an attempt that was lost. A paused topic gives nothing.
create or replace function onceboard.claim_outbox(p_tenant text, p_topic text, p_owner text, p_lease_ms integer, p_limit integer)
returns setof onceboard.outbox_messages language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if exists (select 1 from onceboard.topics t where t.tenant_id = p_tenant and t.topic = p_topic and t.paused_at is not null) then
    return;
  end if;
  return query
  -- Materialized: a rescan would take more than the limit.
  with due as materialized (
    select d.id, d.owner, d.fence, d.attempts_started, d.aggregate_type, d.aggregate_id, d.position
    from onceboard.outbox_messages d
    where d.tenant_id = p_tenant and d.topic = p_topic and d.state = 'pending' and d.next_attempt_at <= v_now
      and (d.locked_until is null or d.locked_until <= v_now)
    order by d.next_attempt_at, d.position
    limit p_limit
    for update skip locked),
  judged as materialized (
    select due.*, before.wait_until
    from due
    left join lateral (
      select case when b.state = 'dead' then v_now + interval '5 minutes'
        else greatest(b.next_attempt_at, v_now + interval '1 second') end as wait_until
      from onceboard.outbox_messages b
      where b.tenant_id = p_tenant and b.aggregate_type = due.aggregate_type and b.aggregate_id = due.aggregate_id
        and b.position < due.position and b.state <> 'discarded'
      order by b.position
      limit 1) before on true),
  put_off as (
    update onceboard.outbox_messages m set next_attempt_at = judged.wait_until
    from judged where judged.wait_until is not null and m.tenant_id = p_tenant and m.id = judged.id),
  lost as (
    insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, owner, fence, ended_at, outcome)
    select p_tenant, (v_now at time zone 'utc')::date, gen_random_uuid(), 'outbox', judged.id, p_topic, judged.attempts_started,
      judged.owner, judged.fence, v_now, 'lost'
    from judged where judged.wait_until is null and judged.owner is not null)
  update onceboard.outbox_messages m
  set owner = p_owner, fence = m.fence + 1, attempts_started = m.attempts_started + 1,
      locked_until = v_now + make_interval(secs => p_lease_ms / 1000.0)
  from judged where judged.wait_until is null and m.tenant_id = p_tenant and m.id = judged.id
  returning m.*;
end $$;
