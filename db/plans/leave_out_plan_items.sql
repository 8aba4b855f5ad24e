-- Ends the rows of a plan that is agreed to or begins to run for which its dry run found no final answer: nothing would become of them. One that somebody
-- has settled since then keeps its turn, which says who did. Says how many.
create or replace function onceboard.leave_out_plan_items(p_tenant text, p_plan_id uuid) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer;
begin
  update onceboard.plan_items i
  set state = 'skipped', ended_at = v_now,
      outcome = 'Asked, still unknown: ' || coalesce(i.look_up_detail, 'no final answer') || '. Left out of the run.'
  where i.tenant_id = p_tenant and i.plan_id = p_plan_id and i.state = 'waiting' and i.look_up = 'unknown'
    and exists (select 1 from onceboard.idempotency_open o where o.tenant_id = p_tenant and o.operation_id = i.target_id);
  get diagnostics v_count = row_count;
  return v_count;
end $$;
