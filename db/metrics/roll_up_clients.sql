-- Recomputes how clients used their keys: for every minute of p_minutes a row of that minute, until its hour is over; then one
-- row of the hour in the place of its minutes, and once its day of UTC is over, one row of the day beside its hours. Always from the events, never by adding up, so a second run leaves the same. Called by
-- roll_up, which holds the minutes' rows. Returns how many rows it wrote.
create or replace function onceboard.roll_up_clients(p_tenant text, p_minutes timestamptz[], p_hours timestamptz[]) returns integer language plpgsql as $$
declare
  v_open timestamptz[];
  v_gone timestamptz[];
  v_days date[];
  v_count integer;
begin
  select array_agg(m) into v_open from unnest(p_minutes) m where not (date_trunc('hour', m, 'UTC') = any (coalesce(p_hours, '{}')));
  select array_agg(b) into v_gone from (
    select unnest(v_open) as b
    union all
    select generate_series(h, h + interval '59 minutes', interval '1 minute') from unnest(p_hours) h) gone;
  -- The key begins with the client, so the clients are walked and only these buckets of each are read.
  with recursive names as (
    (select d.client from onceboard.metric_clients d where d.tenant_id = p_tenant order by d.client limit 1)
    union all
    select n.client from names p cross join lateral (
      select d.client from onceboard.metric_clients d where d.tenant_id = p_tenant and d.client > p.client order by d.client limit 1) n)
  delete from onceboard.metric_clients m using names n
  where m.tenant_id = p_tenant and m.client = n.client and m.bucket = any (v_gone);
  insert into onceboard.metric_clients as k (tenant_id, bucket, client, measure, count, sum)
  select p_tenant, a.bucket, a.client, a.measure, a.count, a.sum
  from (select min(m) as first, max(m) + interval '1 minute' as last from unnest(v_open) m) span
  cross join lateral onceboard.client_measures(p_tenant, 'minute', span.first, span.last) a
  where a.bucket = any (v_open)
  union all
  select p_tenant, a.bucket, a.client, a.measure, a.count, a.sum
  from unnest(p_hours) h cross join lateral onceboard.client_measures(p_tenant, 'hour', h, h + interval '1 hour') a
  on conflict (tenant_id, client, bucket, measure) do update set count = excluded.count, sum = excluded.sum;
  get diagnostics v_count = row_count;

  -- The row of a day's last minute is its lock: two runs over hours of one day add it up one after the other.
  select array_agg(d.day) into v_days from (
    select (k.bucket at time zone 'utc')::date as day from onceboard.metric_buckets k
    where k.tenant_id = p_tenant and k.computed_at is not null
      and k.bucket in (select date_trunc('day', h, 'UTC') + interval '1 day' - interval '1 minute' from unnest(p_hours) h)
    order by k.bucket
    for update) d;
  if v_days is null then
    return v_count;
  end if;
  with recursive names as (
    (select d.client from onceboard.metric_client_days d where d.tenant_id = p_tenant order by d.client limit 1)
    union all
    select n.client from names p cross join lateral (
      select d.client from onceboard.metric_client_days d where d.tenant_id = p_tenant and d.client > p.client order by d.client limit 1) n)
  delete from onceboard.metric_client_days m using names n
  where m.tenant_id = p_tenant and m.client = n.client and m.day = any (v_days);
  with recursive names as (
    (select d.client from onceboard.metric_clients d where d.tenant_id = p_tenant order by d.client limit 1)
    union all
    select n.client from names p cross join lateral (
      select d.client from onceboard.metric_clients d where d.tenant_id = p_tenant and d.client > p.client order by d.client limit 1) n)
  insert into onceboard.metric_client_days (tenant_id, day, client, measure, count, sum, top)
  select p_tenant, d.day, n.client, m.measure, sum(m.count)::integer, sum(m.sum), max(m.sum)
  from names n cross join unnest(v_days) as d(day) join onceboard.metric_clients m on m.tenant_id = p_tenant and m.client = n.client
    and m.bucket >= d.day::timestamp at time zone 'utc' and m.bucket < (d.day + 1)::timestamp at time zone 'utc'
  group by d.day, n.client, m.measure;
  return v_count;
end $$;
