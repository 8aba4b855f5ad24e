-- Deletes hours and days of the report cards past their retention, in one small batch each: what clients did with their keys, and what they were
-- refused before there was a key.
create or replace function onceboard.purge_client_metrics(p_tenant text, p_days integer, p_limit integer) returns integer language plpgsql as $$
declare
  v_before timestamptz := date_trunc('hour', clock_timestamp()) - make_interval(days => p_days);
  v_rows integer;
  v_count integer := 0;
begin
  delete from onceboard.metric_refusals m where m.tenant_id = p_tenant and m.ctid = any (array(
    select d.ctid from onceboard.metric_refusals d where d.tenant_id = p_tenant and d.bucket < v_before limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  -- Its key begins with the client, so the clients are walked and only their old end is read.
  with recursive names as (
    (select d.client from onceboard.metric_clients d where d.tenant_id = p_tenant order by d.client limit 1)
    union all
    select n.client from names p cross join lateral (
      select d.client from onceboard.metric_clients d where d.tenant_id = p_tenant and d.client > p.client order by d.client limit 1) n),
  old as (
    select o.id from names n cross join lateral (
      select d.ctid as id from onceboard.metric_clients d
      where d.tenant_id = p_tenant and d.client = n.client and d.bucket < v_before limit p_limit) o
    limit p_limit)
  delete from onceboard.metric_clients m where m.ctid = any (array(select old.id from old)) and m.tenant_id = p_tenant and m.bucket < v_before;
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  with recursive names as (
    (select d.client from onceboard.metric_client_days d where d.tenant_id = p_tenant order by d.client limit 1)
    union all
    select n.client from names p cross join lateral (
      select d.client from onceboard.metric_client_days d where d.tenant_id = p_tenant and d.client > p.client order by d.client limit 1) n),
  old as (
    select o.id from names n cross join lateral (
      select d.ctid as id from onceboard.metric_client_days d
      where d.tenant_id = p_tenant and d.client = n.client and d.day < (v_before at time zone 'utc')::date limit p_limit) o
    limit p_limit)
  delete from onceboard.metric_client_days m where m.ctid = any (array(select old.id from old)) and m.tenant_id = p_tenant;
  get diagnostics v_rows = row_count;
  return v_count + v_rows;
end $$;
