-- dead → recorded by an operator: it waits again, under a fence above its last one, and its handler runs behind its unique
-- constraints. Handled alone, because it failed.
create or replace function onceboard.requeue_inbox(p_tenant text, p_id uuid, p_actor text, p_reason text) returns boolean language plpgsql as $$
declare
  v_row onceboard.inbox_messages%rowtype;
begin
  update onceboard.inbox_messages m
  set state = 'recorded', attempts_started = 0, attempts_finished = 0, fence = m.fence + 1
  where m.tenant_id = p_tenant and m.id = p_id and m.state = 'dead'
  returning * into v_row;
  if not found then
    return false;
  end if;
  insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, fence, alone)
  values (p_tenant, p_id, v_row.consumer, v_row.received_at, clock_timestamp(), v_row.fence, true);
  perform onceboard.settle_dead_letter(p_tenant, 'inbox', p_id, 'requeued', p_actor, p_reason);
  return true;
end $$;
