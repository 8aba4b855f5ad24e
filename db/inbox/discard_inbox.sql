-- dead → discarded by an operator: it is never handled, the row stays, so a later arrival of its id is still a duplicate.
create or replace function onceboard.discard_inbox(p_tenant text, p_id uuid, p_actor text, p_reason text) returns boolean language plpgsql as $$
begin
  if coalesce(p_reason, '') = '' then
    raise exception 'discard_inbox() needs a reason' using errcode = '22023';
  end if;
  update onceboard.inbox_messages m set state = 'discarded', fence = m.fence + 1
  where m.tenant_id = p_tenant and m.id = p_id and m.state = 'dead';
  if not found then
    return false;
  end if;
  perform onceboard.settle_dead_letter(p_tenant, 'inbox', p_id, 'discarded', p_actor, p_reason);
  return true;
end $$;
