-- recorded → processed, in the transaction of the handler's effect. False: fenced, the handler's work is rolled back.
create or replace function onceboard.finish_inbox(p_tenant text, p_id uuid, p_fence integer, p_result text)
returns boolean language plpgsql as $$
begin
  update onceboard.inbox_messages m
  set state = 'processed', processed_at = clock_timestamp(), result = p_result, attempts_finished = m.attempts_finished + 1,
      owner = null, locked_until = null, next_attempt_at = null, last_error = null, last_error_code = null
  where m.tenant_id = p_tenant and m.id = p_id and m.fence = p_fence and m.owner is not null and m.state = 'recorded';
  return found;
end $$;
