-- One failed attempt: pending with a later next attempt, or dead when the attempts are spent. Says pending, dead or fenced.
-- p_attempt_id names the row of the attempt, and the dead letter when it was the last one.
create or replace function onceboard.fail_outbox(
  p_tenant text, p_id uuid, p_fence integer, p_error_code text, p_error text, p_error_fingerprint text, p_delay_ms integer,
  p_max_attempts integer, p_attempt_id uuid
) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_owner text;
  v_row onceboard.outbox_messages%rowtype;
begin
  select m.owner into v_owner from onceboard.outbox_messages m where m.tenant_id = p_tenant and m.id = p_id;
  update onceboard.outbox_messages m
  set attempts_finished = m.attempts_finished + 1, last_error = p_error, last_error_code = p_error_code, owner = null, locked_until = null,
      next_attempt_at = v_now + make_interval(secs => p_delay_ms / 1000.0),
      state = case when m.attempts_started >= p_max_attempts then 'dead' else 'pending' end
  where m.tenant_id = p_tenant and m.id = p_id and m.fence = p_fence and m.owner is not null and m.state = 'pending'
  returning * into v_row;
  if not found then
    return 'fenced';
  end if;
  perform onceboard.keep_failed_attempt(p_tenant, 'outbox', p_attempt_id, p_id, v_row.topic, v_row.type, v_row.operation_id,
    v_row.attempts_started, v_owner, p_fence, v_row.state = 'dead', p_error_code, p_error, p_error_fingerprint, v_now);
  return v_row.state;
end $$;
