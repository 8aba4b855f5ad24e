-- ready, awaiting_approval, running → aborted: what waits stays untouched. The fence goes up, so a row that is being worked on settles
-- before this (its transaction holds the plan) or not at all. With p_days only a plan that nobody started or agreed to for so long (it
-- expires). Says stopped, or the state that it is in instead.
create or replace function onceboard.abort_plan(p_tenant text, p_id uuid, p_actor text, p_days integer) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_plan onceboard.plans%rowtype;
begin
  select * into v_plan from onceboard.plans p where p.tenant_id = p_tenant and p.id = p_id for update;
  if not found or v_plan.state not in ('ready', 'awaiting_approval', 'running') then
    return v_plan.state;
  end if;
  if p_days is not null and (v_plan.state = 'running'
      or greatest(v_plan.created_at, v_plan.decided_at) > v_now - make_interval(days => p_days)) then
    return v_plan.state;
  end if;
  update onceboard.plans p
  set state = 'aborted', ended_at = v_now, ended_by = p_actor, fence = p.fence + 1, owner = null, locked_until = null,
      look_ups = case when p.look_ups = 'asking' then 'stopped' else p.look_ups end
  where p.tenant_id = p_tenant and p.id = p_id;
  update onceboard.message_corrections c set body = null where c.tenant_id = p_tenant and c.plan_id = p_id;
  return 'stopped';
end $$;
