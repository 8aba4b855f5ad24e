-- Whether this fence still holds a running plan; it stays so until the commit, so that an abort comes after what its holder does.
create or replace function onceboard.hold_running_plan(p_tenant text, p_plan_id uuid, p_fence integer) returns boolean language plpgsql as $$
begin
  perform 1 from onceboard.plans p
  where p.tenant_id = p_tenant and p.id = p_plan_id and p.state = 'running' and p.fence = p_fence and p.owner is not null
  for share;
  return found;
end $$;
