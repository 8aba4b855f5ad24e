-- Deletes minutes, their marks and gauges past their retention, in one small batch each; hours stay. The newest mark stays
-- too: the roll-up goes on from it.
create or replace function onceboard.purge_metrics(p_tenant text, p_days integer, p_limit integer) returns integer language plpgsql as $$
declare
  v_before timestamptz := date_trunc('minute', clock_timestamp()) - make_interval(days => p_days);
  v_rows integer;
  v_count integer := 0;
begin
  delete from onceboard.metric_minutes m where m.ctid = any (array(
    select d.ctid from onceboard.metric_minutes d where d.tenant_id = p_tenant and d.bucket < v_before limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.metric_gauges m where m.ctid = any (array(
    select d.ctid from onceboard.metric_gauges d where d.tenant_id = p_tenant and d.bucket < v_before limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.metric_buckets m where m.ctid = any (array(
    select d.ctid from onceboard.metric_buckets d where d.tenant_id = p_tenant and d.bucket < v_before
      and d.bucket < (select max(l.bucket) from onceboard.metric_buckets l where l.tenant_id = p_tenant)
    limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  return v_count + v_rows;
end $$;
