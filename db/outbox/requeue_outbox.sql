-- dead → pending by an operator. The message id stays, so a consumer that already has it says duplicate.
create or replace function onceboard.requeue_outbox(p_tenant text, p_id uuid, p_actor text, p_reason text) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  update onceboard.outbox_messages m
  set state = 'pending', next_attempt_at = v_now, attempts_started = 0, attempts_finished = 0, fence = m.fence + 1,
      owner = null, locked_until = null
  where m.tenant_id = p_tenant and m.id = p_id and m.state = 'dead';
  if not found then
    return false;
  end if;
  perform onceboard.settle_dead_letter(p_tenant, 'outbox', p_id, 'requeued', p_actor, p_reason);
  return true;
end $$;
