-- Takes the next due messages of one topic for one relay: by state with SKIP LOCKED, never by position, at most one per
-- aggregate and only its oldest, so order holds per aggregate while others pass. A message whose aggregate cannot go on is put
-- off, so that a long line behind a stuck one is not looked at again by every claim; publishing the head wakes the next one, and
-- behind a dead one a person has to decide. A call that meets nothing but such a line puts off more of it and looks again.
-- Counts the attempt before it starts; a lease that ran out is an attempt that was lost. A paused topic gives nothing. A topic
-- whose circuit is open gives one message when its canary is due, and no other until that one has ended or lost its lease.
create or replace function onceboard.claim_outbox(p_tenant text, p_topic text, p_owner text, p_lease_ms integer, p_limit integer)
returns setof onceboard.outbox_messages language plpgsql
-- Planned once for a session, not by every call, and never as a scan of the whole backlog, whatever statistics say of it.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_now timestamptz := clock_timestamp();
  v_limit integer := p_limit;
  v_window integer;
  -- Messages that a further look takes in, and how many looks one call has.
  v_line constant integer := 1000;
  v_looks constant integer := 11;
begin
  if exists (select 1 from onceboard.topics t where t.tenant_id = p_tenant and t.topic = p_topic and t.paused_at is not null) then
    return;
  end if;
  if exists (select 1 from onceboard.topic_circuits c where c.tenant_id = p_tenant and c.topic = p_topic and c.opened_at is not null) then
    -- Who comes second waits for the row, and sees that the canary is not due any more.
    update onceboard.topic_circuits c set canary_out = true, canary_at = v_now + make_interval(secs => p_lease_ms / 1000.0)
    where c.tenant_id = p_tenant and c.topic = p_topic and c.opened_at is not null and c.canary_at <= v_now
      and exists (
        select 1 from onceboard.outbox_messages d
        where d.tenant_id = p_tenant and d.topic = p_topic and d.state = 'pending' and d.next_attempt_at <= v_now
          and (d.locked_until is null or d.locked_until <= v_now));
    if not found then
      return;
    end if;
    v_limit := 1;
  end if;
  v_window := v_limit;
  for v_look in 1 .. v_looks loop
    return query
    -- Materialized: a rescan would take more than the limit. What is locked stays where it is, so it is found again by its ctid: as an
    -- array, for a join by it may read the whole backlog.
    with due as materialized (
      select d.ctid as at, d.id, d.owner, d.fence, d.attempts_started, d.aggregate_type, d.aggregate_id, d.position
      from onceboard.outbox_messages d
      where d.tenant_id = p_tenant and d.topic = p_topic and d.state = 'pending' and d.next_attempt_at <= v_now
        and (d.locked_until is null or d.locked_until <= v_now)
      order by d.next_attempt_at, d.position
      limit v_window
      for update skip locked),
    judged as materialized (
      select due.*, before.wait_until
      from due
      left join lateral (
        select case when b.state = 'dead' then v_now + interval '5 minutes'
          -- Only a bound: publishing the one before wakes it. Shorter would write the whole line again and again while it drains.
          else greatest(b.next_attempt_at, v_now + interval '10 seconds') end as wait_until
        from onceboard.outbox_messages b
        where b.tenant_id = p_tenant and b.aggregate_type = due.aggregate_type and b.aggregate_id = due.aggregate_id
          and b.position < due.position and b.state <> 'discarded'
        order by b.position
        limit 1) before on true),
    put_off as (
      update onceboard.outbox_messages m set next_attempt_at = judged.wait_until
      from judged where judged.wait_until is not null and m.tenant_id = p_tenant and m.ctid = judged.at
        and m.ctid = any (array(select j.at from judged j where j.wait_until is not null))),
    chosen as materialized (select j.* from judged j where j.wait_until is null limit v_limit),
    lost as (
      insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, owner, fence, ended_at, outcome)
      select p_tenant, (v_now at time zone 'utc')::date, gen_random_uuid(), 'outbox', c.id, p_topic, c.attempts_started, c.owner, c.fence,
        v_now, 'lost'
      from chosen c where c.owner is not null),
    held as (
      update onceboard.outbox_messages m
      set owner = p_owner, fence = m.fence + 1, attempts_started = m.attempts_started + 1,
          locked_until = v_now + make_interval(secs => p_lease_ms / 1000.0)
      where m.tenant_id = p_tenant and m.ctid = any (array(select c.at from chosen c))
      returning m.*)
    select * from held order by held.next_attempt_at, held.position;
    exit when found or not exists (
      select 1 from onceboard.outbox_messages d
      where d.tenant_id = p_tenant and d.topic = p_topic and d.state = 'pending' and d.next_attempt_at <= v_now
        and (d.locked_until is null or d.locked_until <= v_now));
    v_window := greatest(v_limit, v_line);
  end loop;
end $$;
