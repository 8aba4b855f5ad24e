-- ready → awaiting_approval, where what was enough for one person is not any more as the plan is started. What a second person agreed to
-- stays agreed to. False: it is not ready, was agreed to, or has waited longer than p_days.
create or replace function onceboard.require_plan_approval(p_tenant text, p_id uuid, p_needed text, p_days integer) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if coalesce(p_needed, '') = '' then
    raise exception 'require_plan_approval() needs a reason' using errcode = '22023';
  end if;
  update onceboard.plans p set state = 'awaiting_approval', approval_needed = p_needed
  where p.tenant_id = p_tenant and p.id = p_id and p.state = 'ready' and p.decided_at is null
    and p.created_at > v_now - make_interval(days => p_days);
  return found;
end $$;
