-- Samples what is open now into the current minute; a second sample of the minute replaces the first. Returns how many gauges.
create or replace function onceboard.sample_gauges(p_tenant text) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer;
begin
  insert into onceboard.metric_gauges (tenant_id, bucket, name, value)
  select p_tenant, date_trunc('minute', v_now), g.name, coalesce(g.value, 0)
  from (
    select count(*) filter (where o.unknown_since is null) as in_progress,
      count(*) filter (where o.unknown_since is not null) as unknown,
      count(*) filter (where o.unknown_since is null and o.locked_until <= v_now) as stale,
      extract(epoch from v_now - min(o.opened_at) filter (where o.unknown_since is null)) as oldest_in_progress,
      extract(epoch from v_now - min(o.unknown_since)) as oldest_unknown
    from onceboard.idempotency_open o where o.tenant_id = p_tenant) o,
    (select count(*) as pending, extract(epoch from v_now - min(m.created_at)) as oldest
     from onceboard.outbox_messages m where m.tenant_id = p_tenant and m.state = 'pending') x,
    (select count(*) as recorded, extract(epoch from v_now - min(m.received_at)) as oldest
     from onceboard.inbox_open m where m.tenant_id = p_tenant) i,
    (select count(*) as open from onceboard.dead_letters d where d.tenant_id = p_tenant and d.settled_at is null) d,
    lateral (values ('in_progress', o.in_progress::double precision), ('unknown', o.unknown), ('stale', o.stale),
      ('oldest_in_progress_seconds', o.oldest_in_progress), ('oldest_unknown_seconds', o.oldest_unknown),
      ('outbox_pending', x.pending), ('outbox_oldest_seconds', x.oldest),
      ('inbox_recorded', i.recorded), ('inbox_oldest_seconds', i.oldest), ('dead_letters', d.open)) g(name, value)
  on conflict (tenant_id, name, bucket) do update set value = excluded.value;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
