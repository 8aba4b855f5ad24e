-- ready, awaiting_approval, running → aborted: what waits stays untouched. The fence goes up, so a row that is being worked on settles
-- before this (its transaction holds the plan) or not at all. Says stopped, or the state that it had ended in.
create or replace function onceboard.abort_plan(p_tenant text, p_id uuid, p_actor text) returns text language plpgsql as $$
declare
  v_state text;
begin
  select p.state into v_state from onceboard.plans p where p.tenant_id = p_tenant and p.id = p_id for update;
  if v_state is null or v_state not in ('ready', 'awaiting_approval', 'running') then
    return v_state;
  end if;
  update onceboard.plans p
  set state = 'aborted', ended_at = clock_timestamp(), ended_by = p_actor, fence = p.fence + 1, owner = null, locked_until = null
  where p.tenant_id = p_tenant and p.id = p_id;
  return 'stopped';
end $$;
