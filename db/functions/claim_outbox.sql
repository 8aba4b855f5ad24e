-- Takes the next due messages for one relay: by state with SKIP LOCKED, never by position (C23), at most one per aggregate
-- and only its oldest, so order holds per aggregate while others pass. A dead message holds its aggregate back until an
-- operator decides. Counts the attempt before it starts. The CTE is materialized: a rescan would take more than the limit.
create or replace function onceboard.claim_outbox(p_tenant text, p_owner text, p_lease_ms integer, p_limit integer)
returns setof onceboard.outbox_messages language sql as $$
  with due as materialized (
    select d.id from onceboard.outbox_messages d
    where d.tenant_id = p_tenant and d.state = 'pending' and d.next_attempt_at <= clock_timestamp()
      and (d.locked_until is null or d.locked_until <= clock_timestamp())
      and not exists (
        select 1 from onceboard.outbox_messages before
        where before.tenant_id = p_tenant and before.aggregate_type = d.aggregate_type
          and before.aggregate_id = d.aggregate_id and before.position < d.position)
    order by d.next_attempt_at, d.position
    limit p_limit
    for update skip locked)
  update onceboard.outbox_messages m
  set owner = p_owner, fence = m.fence + 1, attempts_started = m.attempts_started + 1,
      locked_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
  from due where m.tenant_id = p_tenant and m.id = due.id
  returning m.*;
$$;
