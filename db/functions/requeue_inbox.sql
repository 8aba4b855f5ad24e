-- dead → recorded by an operator: the handler runs again behind its unique constraints.
create or replace function onceboard.requeue_inbox(p_tenant text, p_id uuid, p_actor text) returns boolean language plpgsql as $$
begin
  update onceboard.inbox_messages m
  set state = 'recorded', next_attempt_at = clock_timestamp(), attempts_started = 0, attempts_finished = 0, fence = m.fence + 1,
      owner = null, locked_until = null
  where m.tenant_id = p_tenant and m.id = p_id and m.state = 'dead';
  if not found then
    return false;
  end if;
  update onceboard.dead_letters d set requeued_at = clock_timestamp(), requeued_by = p_actor
  where d.tenant_id = p_tenant and d.side = 'inbox' and d.message_row_id = p_id and d.requeued_at is null;
  return true;
end $$;
