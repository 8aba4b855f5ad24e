-- Recomputes what topics published and consumers processed in some closed minutes: always from the rows, never by adding
-- up, so a second run leaves the same. A message that an operator closed was not delivered, so it counts nowhere. An attempt that
-- was lost counts as failed in the minute in which somebody found that out. Each source is read along its index of time; a minute
-- whose rows were purged meanwhile keeps what was computed before. Returns how many rows it wrote.
create or replace function onceboard.roll_up_messages(p_tenant text, p_minutes timestamptz[]) returns integer language plpgsql as $$
declare
  v_from timestamptz;
  v_to timestamptz;
  v_count integer;
begin
  select min(m), max(m) + interval '1 minute' into v_from, v_to from unnest(p_minutes) m;
  if v_from is null then
    return 0;
  end if;
  with told as (
    select date_trunc('minute', h.published_at, 'UTC') as bucket, 'outbox' as side, h.topic as place, 'succeeded' as outcome,
      extract(epoch from h.published_at - h.created_at)::double precision * 1000 as lag_ms
    from onceboard.outbox_history h
    where h.tenant_id = p_tenant and h.published_at >= v_from and h.published_at < v_to
      and h.day between (v_from at time zone 'utc')::date and (v_to at time zone 'utc')::date
      and h.published_by is distinct from 'operator'
    union all
    select date_trunc('minute', b.processed_at, 'UTC'), 'inbox', b.consumer, 'succeeded', l.lag_ms
    from onceboard.inbox_batches b cross join lateral unnest(b.lags_ms) as l(lag_ms)
    where b.tenant_id = p_tenant and b.processed_at >= v_from and b.processed_at < v_to
    union all
    select date_trunc('minute', a.ended_at, 'UTC'), a.side, a.place, case when a.outcome = 'dead' then 'dead' else 'failed' end, null
    from onceboard.message_attempts a
    where a.tenant_id = p_tenant and a.ended_at >= v_from and a.ended_at < v_to
      and a.day between (v_from at time zone 'utc')::date and (v_to at time zone 'utc')::date)
  insert into onceboard.metric_messages as k (tenant_id, bucket, side, place, succeeded, failed, dead, lag_p95_ms, lag_max_ms)
  select p_tenant, t.bucket, t.side, t.place, count(*) filter (where t.outcome = 'succeeded'), count(*) filter (where t.outcome = 'failed'),
    count(*) filter (where t.outcome = 'dead'), percentile_cont(0.95) within group (order by t.lag_ms), round(max(t.lag_ms))::bigint
  from told t where t.bucket = any (p_minutes)
  group by t.bucket, t.side, t.place
  on conflict (tenant_id, side, place, bucket) do update set succeeded = excluded.succeeded, failed = excluded.failed,
    dead = excluded.dead, lag_p95_ms = excluded.lag_p95_ms, lag_max_ms = excluded.lag_max_ms;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
