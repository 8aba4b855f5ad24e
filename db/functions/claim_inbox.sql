-- Takes the next recorded messages for one consumer process. The attempt is counted before it starts, so a message that kills
-- the process is recognised: started runs ahead of finished. The CTE is materialized: a rescan would take more than the limit.
create or replace function onceboard.claim_inbox(p_tenant text, p_owner text, p_lease_ms integer, p_limit integer)
returns setof onceboard.inbox_messages language sql as $$
  with due as materialized (
    select d.id from onceboard.inbox_messages d
    where d.tenant_id = p_tenant and d.state = 'recorded' and d.next_attempt_at <= clock_timestamp()
      and (d.locked_until is null or d.locked_until <= clock_timestamp())
    order by d.next_attempt_at
    limit p_limit
    for update skip locked)
  update onceboard.inbox_messages m
  set owner = p_owner, fence = m.fence + 1, attempts_started = m.attempts_started + 1,
      locked_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
  from due where m.tenant_id = p_tenant and m.id = due.id
  returning m.*;
$$;
