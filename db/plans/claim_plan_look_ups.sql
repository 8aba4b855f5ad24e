-- Takes the plan whose look-ups wait longest, that nobody holds and that does not rest. As with a running plan, a lease that ran out is
-- taken over: the fence goes up, so what its old owner still learns is not kept.
create or replace function onceboard.claim_plan_look_ups(p_tenant text, p_owner text, p_lease_ms integer)
returns setof onceboard.plans language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with due as materialized (
    select p.id from onceboard.plans p
    where p.tenant_id = p_tenant and p.look_ups = 'asking' and p.state in ('ready', 'awaiting_approval')
      and (p.locked_until is null or p.locked_until <= v_now)
    order by p.created_at
    limit 1
    for update skip locked)
  update onceboard.plans p
  set owner = p_owner, fence = p.fence + 1, locked_until = v_now + make_interval(secs => p_lease_ms / 1000.0),
      look_ups_began_at = coalesce(p.look_ups_began_at, v_now)
  from due where p.tenant_id = p_tenant and p.id = due.id
  returning p.*;
end $$;
