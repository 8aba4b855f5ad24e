-- Keeps what a plan would send in place of a dead message. False: another correction of it waits, or it is not dead (any more).
create or replace function onceboard.propose_correction(
  p_tenant text, p_plan_id uuid, p_message_id uuid, p_dead_letter_id uuid, p_body bytea, p_bytes integer, p_changes jsonb
) returns boolean language plpgsql as $$
begin
  -- Held until the commit, so that what was judged and what is proposed are of the same message.
  perform 1 from onceboard.outbox_messages m where m.tenant_id = p_tenant and m.id = p_message_id and m.state = 'dead' for share;
  if not found then
    return false;
  end if;
  insert into onceboard.message_corrections (tenant_id, plan_id, message_id, dead_letter_id, body, bytes, changes)
  values (p_tenant, p_plan_id, p_message_id, p_dead_letter_id, p_body, p_bytes, p_changes)
  on conflict (tenant_id, message_id) where body is not null do nothing;
  return found;
end $$;
