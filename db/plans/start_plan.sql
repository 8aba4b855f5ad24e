-- ready → running. Says started; expired when it waited longer than p_days since it was made or agreed to; otherwise the state that it is in
-- instead, null when there is no such plan.
create or replace function onceboard.start_plan(p_tenant text, p_id uuid, p_actor text, p_days integer) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_plan onceboard.plans%rowtype;
begin
  select * into v_plan from onceboard.plans p where p.tenant_id = p_tenant and p.id = p_id for update;
  if not found or v_plan.state <> 'ready' then
    return v_plan.state;
  end if;
  if greatest(v_plan.created_at, v_plan.decided_at) <= v_now - make_interval(days => p_days) then
    return 'expired';
  end if;
  perform onceboard.leave_out_plan_items(p_tenant, p_id);
  update onceboard.plans p
  set state = 'running', started_at = v_now, started_by = p_actor,
      look_ups = case when p.look_ups = 'asking' then 'stopped' else p.look_ups end
  where p.tenant_id = p_tenant and p.id = p_id;
  return 'started';
end $$;
