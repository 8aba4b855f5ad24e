-- Gives messages back untouched, for later: what they are about is held by somebody else, the process ends, or they are to be
-- handled alone. Not an attempt, so waiting never leads to a dead letter. Returns how many were still the caller's.
create or replace function onceboard.postpone_inbox(
  p_tenant text, p_ids uuid[], p_fences integer[], p_delay_ms integer default 10000, p_alone boolean default true
) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer;
begin
  update onceboard.inbox_open o
  set attempts_started = o.attempts_started - 1, owner = null, locked_until = null, alone = o.alone or p_alone,
      next_attempt_at = v_now + make_interval(secs => p_delay_ms / 1000.0)
  from unnest(p_ids, p_fences) as held(id, fence)
  where o.tenant_id = p_tenant and o.id = held.id and o.fence = held.fence and o.owner is not null;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
