-- Deletes runs of invariants past their retention, and thins those that held: of a day that is over the last one of each hour stays.
-- What was red or unfinished stays as it was seen.
create or replace function onceboard.purge_invariant_checks(p_tenant text, p_days integer, p_limit integer) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_rows integer;
  v_count integer := 0;
begin
  delete from onceboard.invariant_checks c where c.tenant_id = p_tenant and c.ctid = any (array(
    select d.ctid from onceboard.invariant_checks d
    where d.tenant_id = p_tenant and d.checked_at < v_now - make_interval(days => p_days) limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.invariant_checks c where c.tenant_id = p_tenant and c.ctid = any (array(
    select d.ctid from onceboard.invariant_checks d
    where d.tenant_id = p_tenant and d.checked_at < v_now - interval '1 day' and d.violations = 0
      and exists (
        select 1 from onceboard.invariant_checks n
        where n.tenant_id = p_tenant and n.name = d.name and n.violations = 0 and n.checked_at > d.checked_at
          and n.checked_at < date_trunc('hour', d.checked_at) + interval '1 hour')
    limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  return v_count + v_rows;
end $$;
