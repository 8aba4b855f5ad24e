-- awaiting_approval → ready, running (p_start) or rejected, by a person other than whoever asked for it, in whatever way either comes.
-- Says decided; own when the same person stands behind both; tied when both count as one person within p_tie_days; anybody when a key that
-- names no holder asked; no_person when no person decides; expired when it waited longer than
-- p_days; otherwise the state that it is in instead, null when there is no such plan.
create or replace function onceboard.decide_plan(
  p_tenant text, p_id uuid, p_approve boolean, p_start boolean, p_actor text, p_reason text, p_days integer, p_tie_days integer default 30
) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_plan onceboard.plans%rowtype;
  v_same text;
begin
  select * into v_plan from onceboard.plans p where p.tenant_id = p_tenant and p.id = p_id for update;
  if not found then
    return null;
  end if;
  if v_plan.state <> 'awaiting_approval' then
    return v_plan.state;
  end if;
  if p_actor not like 'operator:%' then
    return 'no_person';
  end if;
  v_same := onceboard.same_person(p_tenant, v_plan.created_by, p_actor, p_tie_days);
  if v_same is not null then
    return v_same;
  end if;
  if v_plan.created_at <= v_now - make_interval(days => p_days) then
    return 'expired';
  end if;
  -- What was still unknown was not agreed to: the rows that may act do not grow by what is asked later.
  if p_approve then
    perform onceboard.leave_out_plan_items(p_tenant, p_id);
  end if;
  update onceboard.plans p
  set state = case when not p_approve then 'rejected' when p_start then 'running' else 'ready' end,
      decided_at = v_now, decided_by = p_actor, decision_reason = p_reason,
      started_at = case when p_approve and p_start then v_now end, started_by = case when p_approve and p_start then p_actor end,
      look_ups = case when p.look_ups = 'asking' and (p_start or not p_approve) then 'stopped' else p.look_ups end,
      ended_at = case when not p_approve then v_now end, ended_by = case when not p_approve then p_actor end
  where p.tenant_id = p_tenant and p.id = p_id;
  if not p_approve then
    update onceboard.message_corrections c set body = null where c.tenant_id = p_tenant and c.plan_id = p_id;
  end if;
  return 'decided';
end $$;
