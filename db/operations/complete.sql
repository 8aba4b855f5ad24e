-- IN_PROGRESS or UNKNOWN_REQUIRES_RECOVERY → COMPLETED or FAILED_REPLAYABLE, with the answer that every replay returns.
-- Deleting the open row by its fence is the check (River's bug was an update by id alone). Fenced is an error and not an
-- answer, so that a commit which is already on its way undoes the business rows. Outbox rows and the event of the first answer come along in the same statement: they
-- are there exactly when the answer is, and each would be a round trip of its own. A doubt that ends with it is kept for the chart
-- of money at risk.
-- No scan of what is open: its rows come and go, and a plan of a moment without any would read all that they leave until the next vacuum.
create or replace function onceboard.complete(
  p_tenant text, p_operation_id uuid, p_fence integer, p_state text, p_status integer, p_schema_version text default '',
  p_resource_type text default null, p_resource_id text default null, p_error_code text default null,
  p_headers jsonb default '{}', p_body bytea default null, p_replay text default 'stored', p_outbox jsonb default null,
  p_event_id uuid default gen_random_uuid(), p_asked_at timestamptz default clock_timestamp(), p_request_id text default null,
  p_client text default null, p_attempt integer default 1, p_latency_ms integer default null, p_served_hash bytea default null
) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  v_now timestamptz := clock_timestamp();
  v_open onceboard.idempotency_open%rowtype;
  v_day date;
  v_amount bigint;
  v_currency text;
begin
  if p_state not in ('COMPLETED', 'FAILED_REPLAYABLE') then
    raise exception 'complete() cannot set state %', p_state using errcode = '22023';
  end if;
  delete from onceboard.idempotency_open o
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence
  returning * into v_open;
  if not found then
    raise exception 'operation % is not ours any more', p_operation_id using errcode = 'OB001';
  end if;
  update onceboard.idempotency_requests r
  set state = p_state, response_status = p_status, response_schema_version = p_schema_version,
      resource_type = p_resource_type, resource_id = p_resource_id, error_code = p_error_code, replay = p_replay,
      completed_at = v_now, updated_at = v_now
  where r.tenant_id = p_tenant and r.operation = v_open.operation and r.key = v_open.key
    and r.fence = p_fence and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
  returning r.body_day, r.amount_minor, r.currency into v_day, v_amount, v_currency;
  if not found then
    raise exception 'operation % is open but its request is not', p_operation_id using errcode = 'XX001';
  end if;
  if v_open.unknown_since is not null then
    insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until, amount_minor, currency)
    values (p_tenant, p_operation_id, v_open.operation, v_open.unknown_since, greatest(v_now, v_open.unknown_since), v_amount, v_currency)
    on conflict do nothing;
  end if;
  -- No body: the replay is by reference, or the answer was too large to keep.
  if p_body is not null then
    insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, fence, headers, body, created_at)
    values (p_tenant, v_day, p_operation_id, 'response', p_fence, p_headers, p_body, v_now);
  end if;
  if p_outbox is not null then
    insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers,
      created_at, next_attempt_at)
    select p_tenant, m.id, p_operation_id, m.aggregate_type, m.aggregate_id, m.topic, m.type, m.payload, m.headers, v_now, v_now
    from jsonb_to_recordset(p_outbox) as m(
      id uuid, aggregate_type text, aggregate_id text, topic text, type text, payload jsonb, headers jsonb);
  end if;
  if p_event_id is not null then
    insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, request_id, client,
      fence, attempt, latency_ms, status, code, served_hash)
    values (p_tenant, (p_asked_at at time zone 'utc')::date, p_event_id, p_operation_id, v_open.operation, p_asked_at, 'executed',
      'executed', p_request_id, p_client, p_fence, p_attempt, p_latency_ms, p_status, p_error_code, p_served_hash);
    -- As in record_events: an event that comes after its minute was rolled up makes that minute stale.
    if date_trunc('minute', p_asked_at) < date_trunc('minute', v_now) then
      update onceboard.metric_buckets m set stale = true
      where m.tenant_id = p_tenant and m.bucket = date_trunc('minute', p_asked_at) and m.computed_at is not null and not m.stale;
    end if;
  end if;
  if v_open.request_id is not null then
    perform onceboard.end_operator_request(p_tenant, v_open.request_id, p_fence, p_state);
  end if;
  return true;
end $$;
