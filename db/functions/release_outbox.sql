-- Gives claimed messages back unsent, because the relay ends: not an attempt. Each by the fence it was claimed with.
create or replace function onceboard.release_outbox(p_tenant text, p_ids uuid[], p_fences integer[]) returns integer language plpgsql as $$
declare
  v_count integer;
begin
  update onceboard.outbox_messages m
  set attempts_started = m.attempts_started - 1, owner = null, locked_until = null
  from unnest(p_ids, p_fences) as held(id, fence)
  where m.tenant_id = p_tenant and m.id = held.id and m.fence = held.fence and m.owner is not null and m.state = 'pending';
  get diagnostics v_count = row_count;
  return v_count;
end $$;
