-- One failed attempt of a handler: recorded with a later next attempt, or dead when the attempts are spent.
-- Says recorded, dead or fenced.
create or replace function onceboard.fail_inbox(
  p_tenant text, p_id uuid, p_fence integer, p_error_code text, p_error text, p_error_fingerprint text, p_delay_ms integer,
  p_max_attempts integer, p_dead_letter_id uuid
) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_row onceboard.inbox_messages%rowtype;
begin
  update onceboard.inbox_messages m
  set attempts_finished = m.attempts_finished + 1, last_error = p_error, last_error_code = p_error_code, owner = null, locked_until = null,
      next_attempt_at = v_now + make_interval(secs => p_delay_ms / 1000.0),
      state = case when m.attempts_started >= p_max_attempts then 'dead' else 'recorded' end
  where m.tenant_id = p_tenant and m.id = p_id and m.fence = p_fence and m.owner is not null and m.state = 'recorded'
  returning * into v_row;
  if not found then
    return 'fenced';
  end if;
  if v_row.state = 'dead' then
    insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, operation_id, error_fingerprint, error_code, error, attempts, dead_at)
    values (p_tenant, p_dead_letter_id, 'inbox', p_id, v_row.consumer, v_row.type, v_row.operation_id, p_error_fingerprint, p_error_code, p_error,
      v_row.attempts_started, v_now)
    on conflict do nothing;
  end if;
  return v_row.state;
end $$;
