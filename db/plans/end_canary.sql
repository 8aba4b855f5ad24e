-- due → true or failed, by what the kept answers say; only for who holds the running plan with this fence. Says true or failed, due while a
-- canary has no answer, or fenced.
create or replace function onceboard.end_canary(p_tenant text, p_plan_id uuid, p_fence integer) returns text language plpgsql as $$
declare
  v_state text;
begin
  perform 1 from onceboard.plans p
  where p.tenant_id = p_tenant and p.id = p_plan_id and p.state = 'running' and p.fence = p_fence and p.owner is not null
  for update;
  if not found then
    return 'fenced';
  end if;
  select case when bool_or(i.canary_answer in ('died', 'silent')) then 'failed'
    when bool_or(i.canary_answer is null) then 'due' else 'true' end into v_state
  from onceboard.plan_items i where i.tenant_id = p_tenant and i.plan_id = p_plan_id and i.canary_at is not null;
  update onceboard.plans p set canary = v_state where p.tenant_id = p_tenant and p.id = p_plan_id and v_state in ('true', 'failed');
  return coalesce(v_state, 'due');
end $$;
