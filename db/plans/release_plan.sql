-- Gives a plan back after a turn: done when no row waits any more, otherwise it rests for a while, whoever takes it next (its pace).
-- Says done, running or fenced.
create or replace function onceboard.release_plan(p_tenant text, p_id uuid, p_fence integer, p_rest_ms integer) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_done boolean;
begin
  perform 1 from onceboard.plans p
  where p.tenant_id = p_tenant and p.id = p_id and p.state = 'running' and p.fence = p_fence and p.owner is not null
  for update;
  if not found then
    return 'fenced';
  end if;
  v_done := not exists (
    select 1 from onceboard.plan_items i where i.tenant_id = p_tenant and i.plan_id = p_id and i.state = 'waiting');
  update onceboard.plans p
  set owner = null,
      state = case when v_done then 'done' else 'running' end,
      locked_until = case when v_done then null else v_now + make_interval(secs => p_rest_ms / 1000.0) end,
      ended_at = case when v_done then v_now end,
      ended_by = case when v_done then p.owner end
  where p.tenant_id = p_tenant and p.id = p_id;
  return case when v_done then 'done' else 'running' end;
end $$;
