-- Keeps what a look-up of a plan's dry run learned: the row's answer, and the look-up itself in the journal of its operation, both or none.
-- Only for who holds the plan's look-ups with this fence. Without p_journal nobody was asked. False: nothing is kept.
create or replace function onceboard.keep_plan_look_up(
  p_tenant text, p_plan_id uuid, p_fence integer, p_position integer, p_answer text, p_detail text,
  p_journal uuid, p_provider_key text, p_provider text, p_outcome text, p_reference text, p_finding text, p_took_ms integer
) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_operation uuid;
begin
  perform 1 from onceboard.plans p
  where p.tenant_id = p_tenant and p.id = p_plan_id and p.look_ups = 'asking' and p.state in ('ready', 'awaiting_approval')
    and p.fence = p_fence and p.owner is not null
  for share;
  if not found then
    return false;
  end if;
  update onceboard.plan_items i set look_up = p_answer, look_up_detail = p_detail, looked_up_at = v_now
  where i.tenant_id = p_tenant and i.plan_id = p_plan_id and i.position = p_position and i.look_up = 'waiting'
  returning i.target_id into v_operation;
  if not found then
    return false;
  end if;
  if p_journal is not null then
    insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, outcome,
      provider_reference, detail, prepared_at, sent_at, answered_at)
    select p_tenant, p_journal, v_operation, p_provider_key, p_provider, 'lookup', 'answered', o.fence, p_outcome, p_reference, p_finding,
      v_now - make_interval(secs => p_took_ms / 1000.0), v_now - make_interval(secs => p_took_ms / 1000.0), v_now
    from onceboard.idempotency_open o
    where o.tenant_id = p_tenant and o.operation_id = v_operation and o.provider_key = p_provider_key;
  end if;
  return true;
end $$;
