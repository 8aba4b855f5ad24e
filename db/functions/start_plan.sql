-- ready → running. Says started, or the state that it is in instead; null when there is no such plan.
create or replace function onceboard.start_plan(p_tenant text, p_id uuid, p_actor text) returns text language plpgsql as $$
declare
  v_state text;
begin
  select p.state into v_state from onceboard.plans p where p.tenant_id = p_tenant and p.id = p_id for update;
  if v_state is distinct from 'ready' then
    return v_state;
  end if;
  update onceboard.plans p set state = 'running', started_at = clock_timestamp(), started_by = p_actor
  where p.tenant_id = p_tenant and p.id = p_id;
  return 'started';
end $$;
