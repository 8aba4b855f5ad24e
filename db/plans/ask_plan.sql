-- Lets the dry run of a plan ask the provider about every row that waits and has no final answer yet. Says asking; answered when every row
-- has one; otherwise the state that it is in instead, null when there is no such plan.
create or replace function onceboard.ask_plan(p_tenant text, p_id uuid) returns text language plpgsql as $$
declare
  v_plan onceboard.plans%rowtype;
begin
  select * into v_plan from onceboard.plans p where p.tenant_id = p_tenant and p.id = p_id for update;
  if not found or v_plan.state not in ('ready', 'awaiting_approval') then
    return v_plan.state;
  end if;
  if v_plan.look_ups = 'asking' then
    return 'asking';
  end if;
  update onceboard.plan_items i set look_up = 'waiting', look_up_detail = null, looked_up_at = null
  where i.tenant_id = p_tenant and i.plan_id = p_id and i.state = 'waiting'
    and (i.look_up is null or i.look_up not in ('completes', 'fails', 'frees'));
  if not found then
    return 'answered';
  end if;
  update onceboard.plans p set look_ups = 'asking', look_ups_began_at = null, look_ups_ended_at = null
  where p.tenant_id = p_tenant and p.id = p_id;
  return 'asking';
end $$;
