-- Gives claimed messages back unsent: not an attempt. Because the relay ends, or with a delay and a reason because nothing can be
-- sent to their destination now. Each by the fence it was claimed with.
create or replace function onceboard.release_outbox(
  p_tenant text, p_ids uuid[], p_fences integer[], p_delay_ms integer, p_error_code text, p_error text
) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer;
begin
  update onceboard.outbox_messages m
  set attempts_started = m.attempts_started - 1, owner = null, locked_until = null,
      next_attempt_at = case when p_delay_ms > 0 then v_now + make_interval(secs => p_delay_ms / 1000.0) else m.next_attempt_at end,
      last_error = coalesce(p_error, m.last_error), last_error_code = coalesce(p_error_code, m.last_error_code)
  from unnest(p_ids, p_fences) as held(id, fence)
  where m.tenant_id = p_tenant and m.id = held.id and m.fence = held.fence and m.owner is not null and m.state = 'pending';
  get diagnostics v_count = row_count;
  return v_count;
end $$;
