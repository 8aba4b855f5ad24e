-- Takes the running plan that started first and that nobody holds and that does not rest. A lease that ran out is taken over: the fence
-- goes up, so what its old owner still does settles nothing.
create or replace function onceboard.claim_plan(p_tenant text, p_owner text, p_lease_ms integer) returns setof onceboard.plans language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with due as materialized (
    select p.id from onceboard.plans p
    where p.tenant_id = p_tenant and p.state = 'running' and (p.locked_until is null or p.locked_until <= v_now)
    order by p.started_at
    limit 1
    for update skip locked)
  update onceboard.plans p
  set owner = p_owner, fence = p.fence + 1, locked_until = v_now + make_interval(secs => p_lease_ms / 1000.0)
  from due where p.tenant_id = p_tenant and p.id = due.id
  returning p.*;
end $$;
