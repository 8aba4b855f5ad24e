-- Gives a message back untouched, for later: what it is about is held by somebody else right now. Not an attempt, so waiting
-- never leads to a dead letter. False: fenced.
create or replace function onceboard.postpone_inbox(p_tenant text, p_id uuid, p_fence integer, p_delay_ms integer)
returns boolean language plpgsql as $$
begin
  update onceboard.inbox_messages m
  set attempts_started = m.attempts_started - 1, owner = null, locked_until = null,
      next_attempt_at = clock_timestamp() + make_interval(secs => p_delay_ms / 1000.0)
  where m.tenant_id = p_tenant and m.id = p_id and m.fence = p_fence and m.owner is not null and m.state = 'recorded';
  return found;
end $$;
