-- Claims a key, or tells what the key already stands for. A key that is there is told at once: most of those that come again are. Else the
-- insert decides, and the loser looks again, because its first look is older than the winner. The fingerprint is compared first, in every state.
-- Outcomes: claimed, replay, conflict, in_progress, stale, unknown, expired, exhausted; other_fingerprint_version: the row
-- was made under other rules or another API version, compute its fingerprint by those and call again.
-- p_scope `principal`: a key belongs to one client, so where another client uses it this one gets a row of its own (scoped_key).
-- wrong_region: the tenant's home is elsewhere, nothing was looked at. Only `claimed` gives ownership. Every instant
-- at which a window is over belongs to what comes after it. Errors: 22023, 40001 (call again), 55P03 (another first
-- request of the key is not committed yet).
-- No scan of what is open, as in complete. Planned once for a session: a plan for the one day that a body is of would cost each replay more than reading it.
create or replace function onceboard.claim(
  p_tenant text, p_operation text, p_key text, p_operation_id uuid, p_principal text, p_fingerprint bytea, p_owner text,
  p_fingerprint_version integer default 0, p_api_version text default '',
  p_account text default null, p_reference text default null, p_amount bigint default null, p_currency text default null,
  p_lease_ms integer default 30000, p_ttl_seconds integer default 86400, p_metadata_days integer default 90,
  p_max_attempts integer default 25, p_expired text default 'reject',
  p_command bytea default null, p_event_id uuid default gen_random_uuid(), p_request_id text default null,
  p_region text default null, p_identity_hash bytea default null, p_scope text default 'operation'
) returns table (
  outcome text, operation_id uuid, state text, fence integer, attempts integer, stage text, foreign_principal boolean,
  fingerprint bytea, fingerprint_version smallint, api_version text, response_status smallint, response_schema_version text,
  resource_type text, resource_id text, error_code text, replay text, body_purged boolean, headers jsonb, body bytea, command bytea,
  created_at timestamptz, completed_at timestamptz, expires_at timestamptz, locked_until timestamptz, asked_at timestamptz
) language plpgsql rows 1 set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
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
  v_key text := p_key;
  v_unbounded boolean := current_setting('lock_timeout') = '0';
begin
  if (p_owner is null or p_lease_ms < 1 or length(p_key) not between 1 and 255) is not false then
    raise exception 'claim() needs a key of 1 to 255 characters, an owner, and a lease of at least 1 ms' using errcode = '22023';
  end if;
  -- Asked here and not only at the door: a tenant that is being moved is refused from the commit of its move on.
  if (p_region is not null and not exists (select 1 from onceboard.tenants t where t.id = p_tenant and t.home_region = p_region))
    or (p_region is null and exists (select 1 from onceboard.tenants t where t.id = p_tenant and t.moved_to is not null))
  then
    return query select 'wrong_region', p_operation_id, 'EXPIRED', 0, 0, null::text, false, null::bytea, null::smallint, null::text,
      null::smallint, null::text, null::text, null::text, null::text, null::text, true, null::jsonb, null::bytea, null::bytea,
      null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz, v_now;
    return;
  end if;
  -- A connection without a limit would wait for a rival's work as long as that lasts. An error takes the limit back by itself.
  if v_unbounded then
    perform set_config('lock_timeout', '5s', true);
  end if;
  for v_try in 1..8 loop
    select * into v_row from onceboard.idempotency_requests r
    where r.tenant_id = p_tenant and r.operation = p_operation and r.key = v_key;
    if not found then
      insert into onceboard.idempotency_requests as r (
        tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version, state, body_day,
        account_id, reference, amount_minor, currency, created_at, updated_at, expires_at, purge_after, identity_hash)
      values (
        p_tenant, p_operation, v_key, p_operation_id, p_principal, p_fingerprint, p_fingerprint_version, p_api_version,
        'IN_PROGRESS', v_day, p_account, p_reference, p_amount, p_currency, v_now, v_now,
        v_now + make_interval(secs => p_ttl_seconds), v_now + make_interval(days => p_metadata_days), p_identity_hash)
      on conflict do nothing
      returning * into v_row;
      continue when not found; -- another first request of the key came first
      if p_scope = 'principal' and v_key = p_key and exists (
        select 1 from onceboard.idempotency_requests r
        where r.tenant_id = p_tenant and r.operation = p_operation and r.key = onceboard.scoped_key(p_key, p_principal)
      ) then
        -- Whoever had the plain key is purged, and this client's own key is still there beside it.
        delete from onceboard.idempotency_requests r
        where r.tenant_id = p_tenant and r.operation = p_operation and r.key = v_key and r.operation_id = v_row.operation_id;
        v_key := onceboard.scoped_key(p_key, p_principal);
        continue;
      end if;
      -- Asked of new keys only: whatever is stored was good when it was claimed.
      if coalesce(p_expired, '') not in ('reject', 'execute') then
        raise exception 'claim() needs reject or execute for an expired key' using errcode = '22023';
      end if;
      -- A UUIDv7 key that is older than everything we still know of: whether it was used can never be told again. Nor can it of a key
      -- that may have been used between a backup and its restore, where something leaves the database (mark_restored).
      if onceboard.uuid7_time(p_key) <= v_now - make_interval(days => p_metadata_days) or exists (
        select from onceboard.restores s where s.hold_until > v_now and p_operation not like 'admin.%'
          -- Clocks of callers may be ahead by so much.
          and coalesce(onceboard.uuid7_time(p_key) <= s.at + interval '5 minutes', true)
          and not exists (select from onceboard.operation_kinds k where k.name = p_operation and k.path = 'local')
      ) then
        delete from onceboard.idempotency_requests r
        where r.tenant_id = p_tenant and r.operation = p_operation and r.key = v_key and r.operation_id = v_row.operation_id;
        if v_unbounded then
          perform set_config('lock_timeout', '0', true);
        end if;
        return query select 'expired', p_operation_id, 'EXPIRED', 0, 0, null::text, false, null::bytea, null::smallint, null::text,
          null::smallint, null::text, null::text, null::text, null::text, null::text, true, null::jsonb, null::bytea, null::bytea,
          null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz, v_now;
        return;
      end if;
      insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, locked_until, opened_at)
      values (p_tenant, v_row.operation_id, p_operation, v_key, p_owner, v_row.fence,
        v_now + make_interval(secs => p_lease_ms / 1000.0), v_now);
      -- A service that keeps its commands to itself leaves a mark, so that retention finds the operation all the same.
      insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, fence, body, created_at)
      values (p_tenant, v_day, v_row.operation_id, 'command', 1, coalesce(p_command, '\xff'), v_now);
      -- The local path passes no event id: its claim and its answer commit together, one event says both.
      if p_event_id is not null then
        insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, request_id, client, fence, attempt)
        values (p_tenant, v_day, p_event_id, v_row.operation_id, p_operation, v_now, 'claimed', p_request_id, p_principal, 1, 1);
      end if;
      v_outcome := 'claimed';
      exit;
    end if;

    if v_row.principal <> p_principal then
      -- A key of this client's own stays its own, also when the policy gives out no more of them.
      if v_key = p_key and (p_scope = 'principal' or exists (
        select 1 from onceboard.idempotency_requests r
        where r.tenant_id = p_tenant and r.operation = p_operation and r.key = onceboard.scoped_key(p_key, p_principal)
      )) then
        v_key := onceboard.scoped_key(p_key, p_principal);
        continue;
      end if;
      v_outcome := 'conflict';
    elsif v_row.fingerprint_version <> p_fingerprint_version or v_row.api_version <> p_api_version then
      v_outcome := 'other_fingerprint_version';
    elsif v_row.fingerprint <> p_fingerprint then
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
        where r.tenant_id = p_tenant and r.operation = p_operation and r.key = v_key
          and r.state = 'FAILED_RETRYABLE' and r.fence = v_row.fence
        returning * into v_row;
        continue when not found; -- another retry took it
        insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, locked_until, opened_at)
        values (p_tenant, v_row.operation_id, p_operation, v_key, p_owner, v_row.fence,
          v_now + make_interval(secs => p_lease_ms / 1000.0), v_now);
        insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, request_id, client, fence, attempt)
        values (p_tenant, v_day, coalesce(p_event_id, gen_random_uuid()), v_row.operation_id, p_operation, v_now, 'claimed',
          p_request_id, p_principal, v_row.fence, v_row.attempts);
        v_outcome := 'claimed';
      end if;
    else
      v_outcome := 'replay';
    end if;
    if v_outcome = 'expired' and p_expired = 'execute' then
      -- The policy takes a late retry for a new command: the old operation is set aside under a name of its own, whole.
      update onceboard.idempotency_requests r
      set state = 'EXPIRED', key = onceboard.set_aside_key(r.key, r.operation_id), updated_at = v_now
      where r.tenant_id = p_tenant and r.operation = p_operation and r.key = v_key and r.operation_id = v_row.operation_id
        and r.state in ('COMPLETED', 'FAILED_REPLAYABLE', 'FAILED_RETRYABLE', 'EXPIRED');
      v_outcome := null;
      continue;
    end if;
    exit;
  end loop;

  if v_unbounded then
    perform set_config('lock_timeout', '0', true);
  end if;
  if v_outcome is null then
    raise exception 'claim did not settle in 8 tries' using errcode = '40001';
  end if;
  if v_outcome = 'replay' then
    select b.headers, b.body into v_headers, v_body from onceboard.idempotency_bodies b
    where b.tenant_id = p_tenant and b.day = v_row.body_day and b.operation_id = v_row.operation_id and b.kind = 'response';
  elsif v_outcome = 'conflict' then
    select b.body into v_command from onceboard.idempotency_bodies b
    where b.tenant_id = p_tenant and b.day = v_row.body_day and b.operation_id = v_row.operation_id and b.kind = 'command';
  end if;
  return query select v_outcome, v_row.operation_id, v_row.state, v_row.fence, v_row.attempts, v_open.stage,
    v_row.principal <> p_principal, v_row.fingerprint, v_row.fingerprint_version, v_row.api_version, v_row.response_status,
    v_row.response_schema_version, v_row.resource_type, v_row.resource_id, v_row.error_code, v_row.replay,
    v_row.body_purged_at is not null, v_headers, v_body, v_command, v_row.created_at, v_row.completed_at, v_row.expires_at,
    v_open.locked_until, v_now;
end $$;
