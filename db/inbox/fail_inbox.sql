-- One failed attempt of a handler: recorded with a later next attempt, or dead when the attempts are spent; what is dead does not
-- wait. Handled alone from then on. Says recorded, dead or fenced. p_attempt_id names the row of the attempt, and the dead letter
-- when it was the last one.
create or replace function onceboard.fail_inbox(
  p_tenant text, p_id uuid, p_fence integer, p_error_code text, p_error text, p_error_fingerprint text default null,
  p_delay_ms integer default 10000, p_max_attempts integer default 5, p_attempt_id uuid default gen_random_uuid()
) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_open onceboard.inbox_open%rowtype;
  v_row onceboard.inbox_messages%rowtype;
begin
  select * into v_open from onceboard.inbox_open o
  where o.tenant_id = p_tenant and o.id = p_id and o.fence = p_fence and o.owner is not null
  for update;
  if not found then
    return 'fenced';
  end if;
  update onceboard.inbox_messages m
  set state = case when v_open.attempts_started >= p_max_attempts then 'dead' else 'recorded' end, fence = v_open.fence,
      attempts_started = v_open.attempts_started, attempts_finished = v_open.attempts_finished + 1,
      last_error = p_error, last_error_code = p_error_code
  where m.tenant_id = p_tenant and m.id = p_id
  returning * into strict v_row;
  if v_row.state = 'dead' then
    delete from onceboard.inbox_open o where o.tenant_id = p_tenant and o.id = p_id;
  else
    update onceboard.inbox_open o
    set attempts_finished = o.attempts_finished + 1, owner = null, locked_until = null, alone = true,
        next_attempt_at = v_now + make_interval(secs => p_delay_ms / 1000.0)
    where o.tenant_id = p_tenant and o.id = p_id;
  end if;
  perform onceboard.keep_failed_attempt(p_tenant, 'inbox', p_attempt_id, p_id, v_row.consumer, v_row.type, v_row.operation_id,
    v_row.attempts_started, v_open.owner, p_fence, v_row.state = 'dead', p_error_code, p_error,
    coalesce(p_error_fingerprint, p_error_code || ':' || md5(p_error)), v_now);
  return v_row.state;
end $$;
