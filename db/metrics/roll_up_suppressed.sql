-- Recomputes what replays would have cost for these minutes and whole hours: always from the events, never by adding up, so a
-- second run leaves the same. Called by roll_up, which holds the minutes' rows. Returns how many rows it wrote.
create or replace function onceboard.roll_up_suppressed(p_tenant text, p_minutes timestamptz[], p_hours timestamptz[]) returns integer language plpgsql as $$
declare
  v_count integer;
begin
  delete from onceboard.metric_suppressed m where m.tenant_id = p_tenant and m.unit = 'minute' and m.bucket = any (p_minutes);
  delete from onceboard.metric_suppressed m where m.tenant_id = p_tenant and m.unit = 'hour' and m.bucket = any (p_hours);
  insert into onceboard.metric_suppressed (tenant_id, unit, bucket, operation, client, currency, count, sum_minor)
  select p_tenant, 'minute', a.*
  from (select min(m) as first, max(m) + interval '1 minute' as last from unnest(p_minutes) m) span
  cross join lateral onceboard.suppressed_rows(p_tenant, 'minute', span.first, span.last) a
  where a.bucket = any (p_minutes)
  union all
  select p_tenant, 'hour', a.*
  from unnest(p_hours) h cross join lateral onceboard.suppressed_rows(p_tenant, 'hour', h, h + interval '1 hour') a;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
