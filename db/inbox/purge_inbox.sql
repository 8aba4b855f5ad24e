-- Deletes processed and discarded messages past the metadata retention, in one small batch, oldest first. Whoever sends one again after that is
-- past every window in which a duplicate is told. What waits or is dead stays.
-- The ids are an array: a subquery that is read again would lock, and delete, more than the limit.
create or replace function onceboard.purge_inbox(p_tenant text, p_metadata_days integer, p_limit integer) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer;
begin
  if coalesce(p_metadata_days, 0) < 1 then
    raise exception 'purge_inbox() keeps what is younger than a day' using errcode = '22023';
  end if;
  delete from onceboard.inbox_messages m
  where m.tenant_id = p_tenant and m.id = any (array(
    select d.id from onceboard.inbox_messages d
    where d.tenant_id = p_tenant and d.state in ('processed', 'discarded')
      and d.received_at <= v_now - make_interval(days => p_metadata_days)
    order by d.received_at
    limit p_limit
    for update skip locked));
  get diagnostics v_count = row_count;
  return v_count;
end $$;
