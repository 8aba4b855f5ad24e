-- dead → published by an operator, without sending: the consumer's inbox holds the message already. Its aggregate goes on.
create or replace function onceboard.close_outbox(p_tenant text, p_id uuid, p_actor text, p_reason text) returns boolean language plpgsql as $$
declare
  v_fence integer;
begin
  update onceboard.outbox_messages m
  set state = 'pending', fence = m.fence + 1, owner = 'operator', locked_until = null, attempts_finished = m.attempts_finished - 1
  where m.tenant_id = p_tenant and m.id = p_id and m.state = 'dead'
  returning m.fence into v_fence;
  if not found then
    return false;
  end if;
  perform onceboard.publish_outbox(p_tenant, array[p_id], array[v_fence], null);
  perform onceboard.settle_dead_letter(p_tenant, 'outbox', p_id, 'closed', p_actor, p_reason);
  return true;
end $$;
