-- Recomputes how clients used their keys (C.8): for every minute of p_minutes a row of that minute, until its hour is over; then one
-- row of the hour in the place of its minutes. Always from the events, never by adding up, so a second run leaves the same. Called by
-- roll_up, which holds the minutes' rows. Returns how many rows it wrote.
create or replace function onceboard.roll_up_clients(p_tenant text, p_minutes timestamptz[], p_hours timestamptz[]) returns integer language plpgsql as $$
declare
  v_open timestamptz[];
  v_gone timestamptz[];
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
  return v_count;
end $$;
