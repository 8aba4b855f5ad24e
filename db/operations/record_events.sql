-- Appends events in one statement; the batch comes from the answer recorder (replays are written off the request path).
-- A missing delay of an answer is the time since the answer before it for the same operation. That one is looked for from the newest on, never by sorting:
-- a key that is sent again and again would be the slower the more often it was. Days of the whole batch are named first: what no event can need is then
-- not even opened.
create or replace function onceboard.record_events(p_events jsonb) returns integer language plpgsql
set plan_cache_mode = force_generic_plan set enable_sort = off as $$
declare
  v_now timestamptz := clock_timestamp();
  v_from timestamptz;
  v_to timestamptz;
  v_count integer;
begin
  select min(e.at), max(e.at) into v_from, v_to from jsonb_to_recordset(p_events) as e(at timestamptz);
  insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, request_id, client, actor,
    fence, attempt, delay_ms, latency_ms, status, code, served_hash, command, detail)
  select e.tenant_id, (e.at at time zone 'utc')::date, e.id, e.operation_id, e.operation, e.at, e.type, e.outcome, e.request_id,
    e.client, e.actor, e.fence, e.attempt,
    case when e.outcome is null or e.outcome = 'executed' then null else
      (select (extract(epoch from e.at - b.at) * 1000)::integer from onceboard.idempotency_events b
       where b.tenant_id = e.tenant_id and b.operation_id = e.operation_id and b.at < e.at
         and b.day between (v_from at time zone 'utc')::date - 3 and (v_to at time zone 'utc')::date
         and b.day between (e.at at time zone 'utc')::date - 3 and (e.at at time zone 'utc')::date and (b.outcome is not null or b.type = 'claimed')
       order by b.at desc limit 1) end,
    e.latency_ms, e.status, e.code, decode(e.served_hash, 'hex'), decode(e.command, 'base64'), e.detail
  from jsonb_to_recordset(p_events) as e(
    tenant_id text, id uuid, operation_id uuid, operation text, at timestamptz, type text, outcome text, request_id text, client text,
    actor text, fence integer, attempt integer, latency_ms integer, status smallint, code text, served_hash text, command text, detail jsonb)
  on conflict do nothing;
  get diagnostics v_count = row_count;
  -- An event that arrives after its minute was rolled up makes that minute stale; the minute that runs is not rolled up yet.
  if date_trunc('minute', v_from) < date_trunc('minute', v_now) then
    update onceboard.metric_buckets m set stale = true
    from (select distinct e.tenant_id, date_trunc('minute', e.at) as bucket
          from jsonb_to_recordset(p_events) as e(tenant_id text, at timestamptz)) late
    where m.tenant_id = late.tenant_id and m.bucket = late.bucket and m.computed_at is not null and not m.stale;
  end if;
  return v_count;
end $$;
