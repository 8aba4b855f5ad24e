-- Keeps what became of a canary, once; only for who holds the running plan with this fence.
create or replace function onceboard.keep_canary_answer(
  p_tenant text, p_plan_id uuid, p_fence integer, p_position integer, p_answer text, p_detail text
) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if not onceboard.hold_running_plan(p_tenant, p_plan_id, p_fence) then
    return false;
  end if;
  update onceboard.plan_items i set canary_answer = p_answer, canary_detail = p_detail, canary_answered_at = v_now
  where i.tenant_id = p_tenant and i.plan_id = p_plan_id and i.position = p_position and i.canary_at is not null
    and i.canary_answer is null;
  return found;
end $$;
