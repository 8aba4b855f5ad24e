-- dead → recorded by an operator: the handler runs again behind its unique constraints.
create or replace function onceboard.requeue_inbox(p_tenant text, p_id uuid, p_actor text, p_reason text) returns boolean language plpgsql as $$
begin
  update onceboard.inbox_messages m
  set state = 'recorded', next_attempt_at = clock_timestamp(), attempts_started = 0, attempts_finished = 0, fence = m.fence + 1,
      owner = null, locked_until = null
  where m.tenant_id = p_tenant and m.id = p_id and m.state = 'dead';
  if not found then
    return false;
  end if;
  perform onceboard.settle_dead_letter(p_tenant, 'inbox', p_id, 'requeued', p_actor, p_reason);
  return true;
end $$;
