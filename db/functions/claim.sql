-- Claims a key, or tells what the key already stands for (S1.2, S4.1). The insert decides; the loser reads in a second
-- statement, because its first snapshot is older than the winner (C12). The fingerprint is compared first, in every state.
-- Outcomes: claimed, replay, conflict, in_progress, stale, unknown, expired, exhausted. Only `claimed` gives ownership.
create or replace function onceboard.claim(
  p_tenant text, p_operation text, p_key text, p_operation_id uuid, p_principal text,
  p_fingerprint bytea, p_fingerprint_version smallint, p_api_version text,
  p_account text, p_reference text, p_amount bigint, p_currency text,
  p_owner text, p_lease_ms integer, p_ttl_hours integer, p_metadata_days integer, p_max_attempts integer,
  p_command bytea, p_event_id uuid, p_request_id text
) returns table (
  outcome text, operation_id uuid, state text, fence integer, attempts integer, stage text, foreign_principal boolean,
  fingerprint_version smallint, response_status smallint, response_schema_version text, resource_type text,
  resource_id text, error_code text, headers jsonb, body bytea, command bytea, created_at timestamptz,
  completed_at timestamptz, expires_at timestamptz, locked_until timestamptz, asked_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_day date := (v_now at time zone 'utc')::date;
  v_row onceboard.idempotency_requests%rowtype;
  v_open onceboard.idempotency_open%rowtype;
  v_outcome text;
  v_command bytea;
  v_headers jsonb;
  v_body bytea;
begin
  for v_try in 1..3 loop
    insert into onceboard.idempotency_requests as r (
      tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version, state, body_day,
      account_id, reference, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
    values (
      p_tenant, p_operation, p_key, p_operation_id, p_principal, p_fingerprint, p_fingerprint_version, p_api_version,
      'IN_PROGRESS', v_day, p_account, p_reference, p_amount, p_currency, v_now, v_now,
      v_now + make_interval(hours => p_ttl_hours), v_now + make_interval(days => p_metadata_days))
    on conflict do nothing
    returning * into v_row;

    if found then
      insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, locked_until, opened_at)
      values (p_tenant, v_row.operation_id, p_operation, p_key, p_owner, v_row.fence,
        v_now + make_interval(secs => p_lease_ms / 1000.0), v_now);
      insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, fence, body, created_at)
      values (p_tenant, v_day, v_row.operation_id, 'command', 1, p_command, v_now);
      -- The local path passes no event id: its claim and its answer commit together, one event says both.
      if p_event_id is not null then
        insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, request_id, client, fence, attempt)
        values (p_tenant, v_day, p_event_id, v_row.operation_id, p_operation, v_now, 'claimed', p_request_id, p_principal, 1, 1);
      end if;
      v_outcome := 'claimed';
      exit;
    end if;

    select * into v_row from onceboard.idempotency_requests r
    where r.tenant_id = p_tenant and r.operation = p_operation and r.key = p_key;
    continue when not found; -- the winner rolled back or was purged between the two statements

    if v_row.fingerprint_version = p_fingerprint_version and v_row.fingerprint <> p_fingerprint
       or v_row.principal <> p_principal then
      v_outcome := 'conflict';
    elsif v_row.state = 'UNKNOWN_REQUIRES_RECOVERY' then
      v_outcome := 'unknown';
    elsif v_row.state = 'IN_PROGRESS' then
      select * into v_open from onceboard.idempotency_open o
      where o.tenant_id = p_tenant and o.operation_id = v_row.operation_id;
      -- Settled since we read the request: look again.
      continue when not found;
      v_outcome := case when v_open.locked_until > v_now then 'in_progress' else 'stale' end;
    elsif v_row.state = 'EXPIRED' or v_row.expires_at <= v_now then
      v_outcome := 'expired';
    elsif v_row.state = 'FAILED_RETRYABLE' then
      if v_row.attempts >= p_max_attempts then
        v_outcome := 'exhausted';
      else
        update onceboard.idempotency_requests r
        set state = 'IN_PROGRESS', fence = r.fence + 1, attempts = r.attempts + 1, error_code = null,
            completed_at = null, updated_at = v_now
        where r.tenant_id = p_tenant and r.operation = p_operation and r.key = p_key
          and r.state = 'FAILED_RETRYABLE' and r.fence = v_row.fence
        returning * into v_row;
        continue when not found; -- another retry took it
        insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, locked_until, opened_at)
        values (p_tenant, v_row.operation_id, p_operation, p_key, p_owner, v_row.fence,
          v_now + make_interval(secs => p_lease_ms / 1000.0), v_now);
        insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, request_id, client, fence, attempt)
        values (p_tenant, v_day, coalesce(p_event_id, gen_random_uuid()), v_row.operation_id, p_operation, v_now, 'claimed',
          p_request_id, p_principal, v_row.fence, v_row.attempts);
        v_outcome := 'claimed';
      end if;
    else
      v_outcome := 'replay';
    end if;
    exit;
  end loop;

  if v_outcome is null then
    raise exception 'claim did not settle in 3 tries' using errcode = '40001';
  end if;
  if v_outcome = 'replay' then
    select b.headers, b.body into v_headers, v_body from onceboard.idempotency_bodies b
    where b.tenant_id = p_tenant and b.day = v_row.body_day and b.operation_id = v_row.operation_id and b.kind = 'response';
  elsif v_outcome = 'conflict' then
    select b.body into v_command from onceboard.idempotency_bodies b
    where b.tenant_id = p_tenant and b.day = v_row.body_day and b.operation_id = v_row.operation_id and b.kind = 'command';
  end if;
  return query select v_outcome, v_row.operation_id, v_row.state, v_row.fence, v_row.attempts, v_open.stage,
    v_row.principal <> p_principal, v_row.fingerprint_version, v_row.response_status, v_row.response_schema_version,
    v_row.resource_type, v_row.resource_id, v_row.error_code, v_headers, v_body, v_command, v_row.created_at,
    v_row.completed_at, v_row.expires_at, v_open.locked_until, v_now;
end $$;
