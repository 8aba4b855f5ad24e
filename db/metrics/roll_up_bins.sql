-- Recomputes how first answers and retries were distributed for these minutes: always from the events, so a second run leaves the same;
-- then for whole hours, by adding up their minutes. Called by roll_up, which holds the rows of the minutes and the lock of the hours. Bins are those of
-- domain/metrics/bins.ts: of first answers doubling from 25 ms up to 3.2 s, what took longer, and what was never answered: the first
-- caller was told that the outcome is unknown. Of retries by the request before of the same client and key, three days back at the
-- most. Returns how many rows of minutes it wrote.
create or replace function onceboard.roll_up_bins(p_tenant text, p_minutes timestamptz[], p_hours timestamptz[]) returns integer language plpgsql as $$
declare
  v_from timestamptz;
  v_to timestamptz;
  v_count integer;
begin
  select min(m), max(m) + interval '1 minute' into v_from, v_to from unnest(p_minutes) m;
  -- Each bin is a stretch of the key of its own; a bin that a measure does not have costs a look.
  delete from onceboard.metric_bins b using (values ('first_answer'), ('retry_delay')) as k(measure), generate_series(0, 9) n
  where b.tenant_id = p_tenant and b.unit = 'minute' and b.measure = k.measure and b.bin = n and b.bucket = any (p_minutes);
  insert into onceboard.metric_bins (tenant_id, unit, measure, bin, bucket, client, count)
  select p_tenant, 'minute', 'first_answer',
    case when e.outcome = 'executed' then width_bucket(e.latency_ms::double precision, array[25, 50, 100, 200, 400, 800, 1600, 3200]::double precision[]) else 9 end,
    date_trunc('minute', e.at, 'UTC'), '', count(*)
  from onceboard.idempotency_events e
  where e.tenant_id = p_tenant and e.at >= v_from and e.at < v_to
    and e.day between (v_from at time zone 'utc')::date and (v_to at time zone 'utc')::date
    and ((e.outcome = 'executed' and e.latency_ms is not null) or (e.type = 'unknown' and e.code = 'dependency.timeout'))
    and e.operation not like 'admin.%' and date_trunc('minute', e.at, 'UTC') = any (p_minutes)
  group by 4, 5
  union all
  select p_tenant, 'minute', 'retry_delay',
    width_bucket(r.gap_ms, array[100, 500, 2000, 10000, 60000, 300000, 1800000, 7200000]::double precision[]),
    date_trunc('minute', r.at, 'UTC'), r.client, count(*)
  from onceboard.repeats(p_tenant, v_from, v_to, interval '3 days') r
  where r.gap_ms is not null and date_trunc('minute', r.at, 'UTC') = any (p_minutes)
  group by 4, 5, 6;
  get diagnostics v_count = row_count;
  update onceboard.metric_buckets k set binned = true where k.tenant_id = p_tenant and k.bucket = any (p_minutes) and not k.binned;
  if p_hours is null then
    return v_count;
  end if;

  delete from onceboard.metric_bins b using (values ('first_answer'), ('retry_delay')) as k(measure), generate_series(0, 9) n
  where b.tenant_id = p_tenant and b.unit = 'hour' and b.measure = k.measure and b.bin = n and b.bucket = any (p_hours);
  insert into onceboard.metric_bins (tenant_id, unit, measure, bin, bucket, client, count)
  select p_tenant, 'hour', b.measure, b.bin, h, b.client, sum(b.count)
  from unnest(p_hours) h cross join (values ('first_answer'), ('retry_delay')) as k(measure) cross join generate_series(0, 9) n
  join onceboard.metric_bins b on b.tenant_id = p_tenant and b.unit = 'minute' and b.measure = k.measure and b.bin = n
    and b.bucket >= h and b.bucket < h + interval '1 hour'
  group by b.measure, b.bin, h, b.client;
  return v_count;
end $$;
