-- Recomputes the minutes of [p_from, p_to) that were never computed, became stale, or were computed once while late events
-- could still be under way; then the whole hours they belong to. Always from the events, never by adding up, so two workers
-- or two runs leave the same rows. The bucket rows are the lock, taken in their order.
create or replace function onceboard.roll_up(p_tenant text, p_from timestamptz, p_to timestamptz, p_settle_seconds integer)
returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_minutes timestamptz[];
  v_hours timestamptz[];
begin
  insert into onceboard.metric_buckets (tenant_id, bucket)
  select p_tenant, m from generate_series(p_from, p_to - interval '1 minute', interval '1 minute') m
  order by m
  on conflict do nothing;
  select array_agg(b.bucket) into v_minutes from (
    select k.bucket from onceboard.metric_buckets k
    where k.tenant_id = p_tenant and k.bucket >= p_from and k.bucket < p_to
      and (k.computed_at is null or k.stale
        or (k.computed_at < k.bucket + make_interval(secs => 60 + p_settle_seconds)
          and k.bucket + make_interval(secs => 60 + p_settle_seconds) <= v_now))
    order by k.bucket
    for update) b;
  if v_minutes is null then
    return 0;
  end if;
  -- Before the events are read: one that comes now waits for this row and then makes it stale again.
  update onceboard.metric_buckets k set computed_at = v_now, stale = false
  where k.tenant_id = p_tenant and k.bucket = any (v_minutes);
  delete from onceboard.metric_minutes m where m.tenant_id = p_tenant and m.bucket = any (v_minutes);
  insert into onceboard.metric_minutes (tenant_id, bucket, operation, client, outcome, count, latency_p95_ms, latency_max_ms, delay_sum_ms, delay_count)
  select p_tenant, a.* from onceboard.metric_rows(p_tenant, 'minute', p_from, p_to) a where a.bucket = any (v_minutes);
  perform onceboard.roll_up_messages(p_tenant, v_minutes);

  select array_agg(h) into v_hours from (
    select distinct date_trunc('hour', m, 'UTC') as h from unnest(v_minutes) m) hours
  where h + interval '1 hour' <= p_to or exists (
    select 1 from onceboard.metric_buckets k
    where k.tenant_id = p_tenant and k.bucket = h + interval '59 minutes' and k.computed_at is not null);
  if v_hours is not null then
    -- The row of an hour's last minute is its lock: two runs over minutes of one hour add it up one after the other.
    perform 1 from onceboard.metric_buckets k
    where k.tenant_id = p_tenant and k.bucket in (select h + interval '59 minutes' from unnest(v_hours) h)
    order by k.bucket for update;
    delete from onceboard.metric_hours m where m.tenant_id = p_tenant and m.bucket = any (v_hours);
    insert into onceboard.metric_hours (tenant_id, bucket, operation, client, outcome, count, latency_p95_ms, latency_max_ms, delay_sum_ms, delay_count)
    select p_tenant, a.* from unnest(v_hours) h
    cross join lateral onceboard.metric_rows(p_tenant, 'hour', h, h + interval '1 hour') a;
  end if;
  perform onceboard.roll_up_clients(p_tenant, v_minutes, v_hours);
  perform onceboard.roll_up_suppressed(p_tenant, v_minutes, v_hours);
  perform onceboard.roll_up_bins(p_tenant, v_minutes, v_hours);
  return cardinality(v_minutes);
end $$;
