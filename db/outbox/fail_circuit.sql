-- closed → open: counts one failed delivery to a topic, and opens its circuit with the p_limit-th in a row. The failure of a canary
-- makes the next one due after a wait that doubles from p_base_ms to p_cap_ms; p_random, from 0 to 1, spreads it over half of that.
-- What was under way when the circuit opened changes nothing. Says whether it was open before, and for how long it is now.
create or replace function onceboard.fail_circuit(
  p_tenant text, p_topic text, p_limit integer, p_base_ms integer, p_cap_ms integer, p_random double precision, p_error_code text, p_error text
) returns table (was_open boolean, is_open boolean, open_ms bigint) language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_row onceboard.topic_circuits%rowtype;
  v_was boolean;
begin
  insert into onceboard.topic_circuits (tenant_id, topic, failures, updated_at) values (p_tenant, p_topic, 0, v_now)
  on conflict (tenant_id, topic) do nothing;
  select * into v_row from onceboard.topic_circuits c where c.tenant_id = p_tenant and c.topic = p_topic for update;
  v_was := v_row.opened_at is not null;
  v_row.failures := v_row.failures + 1;
  if v_row.canary_out then
    v_row.canaries := v_row.canaries + 1;
  elsif not v_was and v_row.failures >= p_limit then
    v_row.opened_at := v_now;
  end if;
  if v_row.canary_out or v_row.opened_at = v_now then
    v_row.canary_at := v_now + make_interval(secs =>
      least(p_cap_ms, p_base_ms * 2 ^ least(v_row.canaries, 20)) * (0.5 + p_random / 2) / 1000.0);
  end if;
  update onceboard.topic_circuits c
  set failures = v_row.failures, opened_at = v_row.opened_at, canaries = v_row.canaries, canary_at = v_row.canary_at,
      canary_out = false, last_error = p_error, last_error_code = p_error_code, updated_at = v_now
  where c.tenant_id = p_tenant and c.topic = p_topic;
  return query select v_was, v_row.opened_at is not null,
    coalesce((extract(epoch from v_now - v_row.opened_at) * 1000)::bigint, 0);
end $$;
