-- waiting → done, skipped or failed, once, in the transaction of what it did; only by who holds the running plan with this fence. False:
-- it is not theirs any more, so what was done must be rolled back. The plan is held until the commit: an abort comes after the row.
create or replace function onceboard.settle_plan_item(
  p_tenant text, p_plan_id uuid, p_fence integer, p_position integer, p_state text, p_outcome text
) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if not onceboard.hold_running_plan(p_tenant, p_plan_id, p_fence) then
    return false;
  end if;
  update onceboard.plan_items i set state = p_state, outcome = p_outcome, ended_at = v_now
  where i.tenant_id = p_tenant and i.plan_id = p_plan_id and i.position = p_position and i.state = 'waiting';
  return found;
end $$;
