-- dead → discarded by an operator: it is never sent, the row stays. Its aggregate goes on without it.
create or replace function onceboard.discard_outbox(p_tenant text, p_id uuid, p_actor text, p_reason text) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_row onceboard.outbox_messages%rowtype;
begin
  if coalesce(p_reason, '') = '' then
    raise exception 'discard_outbox() needs a reason' using errcode = '22023';
  end if;
  update onceboard.outbox_messages m set state = 'discarded', fence = m.fence + 1, owner = null, locked_until = null
  where m.tenant_id = p_tenant and m.id = p_id and m.state = 'dead'
  returning * into v_row;
  if not found then
    return false;
  end if;
  update onceboard.outbox_messages f set next_attempt_at = v_now
  where f.tenant_id = p_tenant and f.id = (
    select n.id from onceboard.outbox_messages n
    where n.tenant_id = p_tenant and n.aggregate_type = v_row.aggregate_type and n.aggregate_id = v_row.aggregate_id
      and n.position > v_row.position and n.state = 'pending'
    order by n.position limit 1);
  perform onceboard.settle_dead_letter(p_tenant, 'outbox', p_id, 'discarded', p_actor, p_reason);
  return true;
end $$;
