-- Gives the look-ups of a plan back after a turn: asked when no row waits for one any more, or when their whole time is over, which leaves
-- the rest not asked; otherwise they rest for a while, whoever takes them next (their pace). Says asked, asking or fenced.
create or replace function onceboard.release_plan_look_ups(
  p_tenant text, p_id uuid, p_fence integer, p_rest_ms integer, p_total_ms integer, p_late text
) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_plan onceboard.plans%rowtype;
  v_done boolean;
begin
  select * into v_plan from onceboard.plans p
  where p.tenant_id = p_tenant and p.id = p_id and p.fence = p_fence and p.owner is not null
  for update;
  if not found then
    return 'fenced';
  end if;
  if v_plan.state not in ('ready', 'awaiting_approval') or v_plan.look_ups is distinct from 'asking' then
    -- Started meanwhile: whoever runs it need not wait for our lease.
    update onceboard.plans p set owner = null, locked_until = null where p.tenant_id = p_tenant and p.id = p_id;
    return 'fenced';
  end if;
  if v_plan.look_ups_began_at + make_interval(secs => p_total_ms / 1000.0) <= v_now then
    update onceboard.plan_items i set look_up = 'not_asked', look_up_detail = p_late, looked_up_at = v_now
    where i.tenant_id = p_tenant and i.plan_id = p_id and i.look_up = 'waiting';
  end if;
  v_done := not exists (
    select 1 from onceboard.plan_items i where i.tenant_id = p_tenant and i.plan_id = p_id and i.look_up = 'waiting');
  update onceboard.plans p
  set owner = null, look_ups = case when v_done then 'asked' else 'asking' end,
      look_ups_ended_at = case when v_done then v_now end,
      locked_until = case when v_done then null else v_now + make_interval(secs => p_rest_ms / 1000.0) end
  where p.tenant_id = p_tenant and p.id = p_id;
  return case when v_done then 'asked' else 'asking' end;
end $$;
