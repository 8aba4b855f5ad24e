-- Counts the huge states without ever scanning them whole: exact up to p_bound requests of the tenant, otherwise an estimate from a
-- sample of pages. One row per state and one named `all`. Where the sample gives less in all than was counted, `all` is at least that:
-- the tenant is a small one of a large database. Actions of the console are not counted: lists leave them out.
create or replace function onceboard.take_count_snapshots(p_tenant text, p_bound integer) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_seen integer;
  v_own integer;
  v_pages double precision;
  v_percent double precision := 100;
  v_kind text := 'exact';
begin
  select count(*), count(*) filter (where few.operation like 'admin.%') into v_seen, v_own from (
    select r.operation from onceboard.idempotency_requests r where r.tenant_id = p_tenant limit p_bound + 1) few;
  if v_seen > p_bound then
    v_kind := 'estimate';
    -- About 400 pages: some twenty thousand rows.
    v_pages := pg_relation_size('onceboard.idempotency_requests') / 8192.0;
    v_percent := least(100, 40000 / greatest(v_pages, 1));
  end if;
  insert into onceboard.count_snapshots (tenant_id, name, value, kind, taken_at)
  select p_tenant, s.name, case when s.short then v_seen - v_own else s.value end, case when s.short then 'at_least' else v_kind end, v_now from (
    select c.*, c.name = 'all' and v_kind = 'estimate' and c.value < v_seen - v_own as short from (
      select coalesce(c.state, 'all') as name, round(sum(c.n) * 100 / v_percent)::bigint as value
      from (
        select r.state, count(*) as n from onceboard.idempotency_requests r
        where v_kind = 'exact' and r.tenant_id = p_tenant and r.operation not like 'admin.%' group by 1
        union all
        select r.state, count(*) from onceboard.idempotency_requests r tablesample system (v_percent)
        where v_kind = 'estimate' and r.tenant_id = p_tenant and r.operation not like 'admin.%' group by 1
        union all
        select unnest(array['COMPLETED', 'FAILED_REPLAYABLE', 'FAILED_RETRYABLE', 'EXPIRED']), 0) c
      group by rollup (c.state)) c) s
  where s.name not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
  on conflict (tenant_id, name) do update set value = excluded.value, kind = excluded.kind, taken_at = excluded.taken_at;
  return v_kind;
end $$;
