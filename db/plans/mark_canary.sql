-- Says that a row which has just acted is a canary, in the transaction of what it did; only for who holds the running plan with this fence.
create or replace function onceboard.mark_canary(p_tenant text, p_plan_id uuid, p_fence integer, p_position integer)
returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if not onceboard.hold_running_plan(p_tenant, p_plan_id, p_fence) then
    return false;
  end if;
  update onceboard.plan_items i set canary_at = v_now
  where i.tenant_id = p_tenant and i.plan_id = p_plan_id and i.position = p_position and i.state = 'done' and i.canary_at is null;
  return found;
end $$;
