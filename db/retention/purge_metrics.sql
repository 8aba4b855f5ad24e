-- Deletes minutes, their marks, bins, gauges, doubts that ended and deploys past their retention, in one small batch each; other hours stay. The newest mark stays
-- too: the roll-up goes on from it.
create or replace function onceboard.purge_metrics(p_tenant text, p_days integer, p_limit integer) returns integer language plpgsql as $$
declare
  v_before timestamptz := date_trunc('minute', clock_timestamp()) - make_interval(days => p_days);
  v_rows integer;
  v_count integer := 0;
begin
  delete from onceboard.metric_minutes m where m.tenant_id = p_tenant and m.ctid = any (array(
    select d.ctid from onceboard.metric_minutes d where d.tenant_id = p_tenant and d.bucket < v_before limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  -- Its key begins with the place, so the places are walked and only their old end is read.
  with recursive places as (
    (select d.side, d.place from onceboard.metric_messages d where d.tenant_id = p_tenant order by d.side, d.place limit 1)
    union all
    select n.side, n.place from places p cross join lateral (
      select d.side, d.place from onceboard.metric_messages d
      where d.tenant_id = p_tenant and (d.side, d.place) > (p.side, p.place) order by d.side, d.place limit 1) n),
  old as (
    select o.id from places p cross join lateral (
      select d.ctid as id from onceboard.metric_messages d
      where d.tenant_id = p_tenant and d.side = p.side and d.place = p.place and d.bucket < v_before limit p_limit) o
    limit p_limit)
  delete from onceboard.metric_messages m where m.ctid = any (array(select old.id from old)) and m.tenant_id = p_tenant and m.bucket < v_before;
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  -- What finished: the minutes are computed from it.
  delete from onceboard.inbox_batches m where m.tenant_id = p_tenant and m.ctid = any (array(
    select d.ctid from onceboard.inbox_batches d where d.tenant_id = p_tenant and d.processed_at < v_before
    order by d.processed_at limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.metric_gauges m where m.tenant_id = p_tenant and m.ctid = any (array(
    select d.ctid from onceboard.metric_gauges d where d.tenant_id = p_tenant and d.bucket < v_before limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.settled_doubts m where m.tenant_id = p_tenant and m.ctid = any (array(
    select d.ctid from onceboard.settled_doubts d where d.tenant_id = p_tenant and d.until < v_before
    order by d.until limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.deploys m where m.tenant_id = p_tenant and m.ctid = any (array(
    select d.ctid from onceboard.deploys d where d.tenant_id = p_tenant and d.at < v_before
    order by d.at limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.metric_suppressed m where m.tenant_id = p_tenant and m.ctid = any (array(
    select d.ctid from onceboard.metric_suppressed d
    where d.tenant_id = p_tenant and d.unit = 'minute' and d.bucket < v_before limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  -- Its key begins with unit, measure and bin, so each of them is read at its old end. Its hours go too: they are read for days only.
  with bins as (
    select u.unit, k.measure, n as bin
    from (values ('minute'), ('hour')) as u(unit), (values ('first_answer'), ('retry_delay')) as k(measure), generate_series(0, 9) n),
  old as (
    select o.id from bins n cross join lateral (
      select d.ctid as id from onceboard.metric_bins d
      where d.tenant_id = p_tenant and d.unit = n.unit and d.measure = n.measure and d.bin = n.bin and d.bucket < v_before limit p_limit) o
    limit p_limit)
  delete from onceboard.metric_bins m where m.ctid = any (array(select old.id from old)) and m.tenant_id = p_tenant and m.bucket < v_before;
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.metric_buckets m where m.tenant_id = p_tenant and m.ctid = any (array(
    select d.ctid from onceboard.metric_buckets d where d.tenant_id = p_tenant and d.bucket < v_before
      and d.bucket < (select max(l.bucket) from onceboard.metric_buckets l where l.tenant_id = p_tenant)
    limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  return v_count + v_rows;
end $$;
