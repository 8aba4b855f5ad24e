-- Counts the huge states: exact up to p_bound requests of the tenant, otherwise an estimate from a sample of pages. One row per state and
-- one named `all`. The sample is the same pages each time, a half, a quarter, an eighth … of the table: an estimate moves only when rows
-- do. A state of which the sample has only a few rows has no estimate: it may be none or hundreds. EXPIRED is exact nevertheless while
-- few windows are over, as they lie together in an index; no index has the other states. Where the sample gives less in all
-- than was counted, `all` is at least that: the tenant is a small one of a large database. Actions of the console are not counted: lists
-- leave them out.
create or replace function onceboard.take_count_snapshots(p_tenant text, p_bound integer) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_seen bigint;
  v_counts jsonb;
  v_part double precision := 1;
  v_kind text := 'exact';
  v_all bigint;
  v_over bigint;
  v_expired bigint;
  -- About 1,000 pages: some thirty thousand rows. Thirty of a state tell its number to about a third.
  c_pages constant double precision := 1000;
  c_few constant integer := 30;
  c_over constant integer := 10000;
begin
  select coalesce(sum(s.seen), 0), coalesce(jsonb_object_agg(s.state, s.n), '{}') into v_seen, v_counts from (
    select few.state, count(*) as seen, count(*) filter (where few.operation not like 'admin.%') as n from (
      select r.state, r.operation from onceboard.idempotency_requests r where r.tenant_id = p_tenant limit p_bound + 1) few
    group by few.state) s;
  select coalesce(sum(c.value::bigint), 0) into v_all from jsonb_each_text(v_counts) c;
  if v_seen > p_bound then
    v_kind := 'estimate';
    v_part := 1 / 2 ^ greatest(0, ceil(log(2, (greatest(pg_relation_size('onceboard.idempotency_requests') / 8192.0, 1) / c_pages)::numeric)));
    select coalesce(jsonb_object_agg(s.state, s.n), '{}') into v_counts from (
      select r.state, count(*) as n from onceboard.idempotency_requests r tablesample system (100 * v_part) repeatable (1)
      where r.tenant_id = p_tenant and r.operation not like 'admin.%' group by 1) s;
    select count(*), count(*) filter (where o.state = 'EXPIRED' and o.operation not like 'admin.%') into v_over, v_expired from (
      select r.state, r.operation from onceboard.idempotency_requests r
      where r.tenant_id = p_tenant and r.expires_at <= v_now order by r.expires_at limit c_over + 1) o;
  end if;
  delete from onceboard.count_snapshots c where c.tenant_id = p_tenant;
  insert into onceboard.count_snapshots (tenant_id, name, value, kind, taken_at)
  select p_tenant, s.name, round(s.n / v_part)::bigint, v_kind, v_now from (
    select n.name, coalesce((v_counts ->> n.name)::bigint, 0) as n
    from unnest(array['COMPLETED', 'FAILED_REPLAYABLE', 'FAILED_RETRYABLE', 'EXPIRED']) n(name)) s
  where (v_part = 1 or s.n >= c_few) and not (s.name = 'EXPIRED' and coalesce(v_over <= c_over, false))
  union all
  select p_tenant, 'EXPIRED', v_expired, 'exact', v_now where v_over <= c_over
  union all
  select p_tenant, 'all', greatest(a.n, v_all), case when a.n < v_all then 'at_least' else v_kind end, v_now from (
    select round(coalesce(sum(c.value::bigint), 0) / v_part)::bigint as n from jsonb_each_text(v_counts) c) a
  on conflict (tenant_id, name) do update set value = excluded.value, kind = excluded.kind, taken_at = excluded.taken_at;
  return v_kind;
end $$;
