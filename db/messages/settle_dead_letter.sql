-- Ends the open dead letter of a message: requeued, closed or discarded, by whom and why. Called by those functions.
create or replace function onceboard.settle_dead_letter(p_tenant text, p_side text, p_message_row_id uuid, p_settlement text, p_actor text, p_reason text)
returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  update onceboard.dead_letters d
  set settled_at = v_now, settled_by = p_actor, settlement = p_settlement, reason = p_reason
  where d.tenant_id = p_tenant and d.side = p_side and d.message_row_id = p_message_row_id and d.settled_at is null;
end $$;
